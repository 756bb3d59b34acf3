// What the server's pages cannot do alone: draw curves, show local times, keep quiet when nobody looks.
"use strict";
(() => {
  const CHART_EVERY = 5000; // milliseconds
  const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
  const digits = (value) => (value == null ? "–" : value.toFixed(3));
  const signed = (value) => (value == null ? "–" : (value > 0 ? "+" : "") + value.toFixed(3).replace("-", "−"));
  const LABELS = { learner: "what is learnt", holdout: "holdout", observed: "observed", lift: "lift" };
  // A time looks the same in all cards; the axes of curves have parts of it.
  const DAY = { month: "short", day: "numeric" }, TIME = { hour: "2-digit", minute: "2-digit" }, SECOND = { second: "2-digit" };
  const local = (at, look = { year: "numeric", ...DAY, ...TIME, ...SECOND }) => new Date(at).toLocaleString([], { ...look, hourCycle: "h23" });
  const plots = new Map();
  let span = "all", last = null;

  const few = (chart) => chart.at.length < 3; // points, of which no band can be seen

  // One chart: a line for each curve, and a band around it.
  function draw(id, chart, show) {
    const box = document.getElementById(id);
    if (!box || !window.uPlot) return;
    const shown = () => plots.get(id)?.chart ?? chart; // one plot draws many charts, the last one now
    const data = [chart.at], series = [{ label: "time", value: (_, at) => at == null ? "–" : local(at * 1000) }], bands = [];
    chart.curves.forEach((curve, number) => {
      const at = data.length;
      const stroke = colour(curve.name === "lift" ? "learner" : curve.name);
      data.push(curve.value, curve.high, curve.low);
      series.push(
        {
          label: LABELS[curve.name], stroke, width: 2, points: { show: few(chart) },
          dash: curve.name === "holdout" ? [6, 4] : undefined,
          value: (_, value, __, n) => {
            const { low, high } = shown().curves[number];
            return n == null || value == null ? "–" : `${show(value)} (${show(low[n])} to ${show(high[n])})`;
          },
        },
        { label: "high", class: "band", points: { show: false } },
        { label: "low", class: "band", points: { show: false } },
      );
      bands.push({ series: [at + 1, at + 2], fill: stroke + "2e" });
    });
    const size = { width: box.clientWidth, height: 220 };
    const shape = chart.curves.map((curve) => curve.name).join() + colour("ink") + few(chart);
    const old = plots.get(id);
    if (old && chart.at.length && old.shape === shape && box.contains(old.plot.root)) {
      old.chart = chart;
      old.plot.setData(data);
      if (old.plot.width !== size.width) old.plot.setSize(size);
      return;
    }
    if (old) old.plot.destroy();
    box.replaceChildren();
    plots.delete(id);
    if (!chart.at.length) {
      box.append(Object.assign(document.createElement("p"), { className: "quiet", textContent:
        id === "lift" ? "Begins when both groups have enough clicks for an interval." : "No views in this time." }));
      return;
    }
    const axis = { stroke: colour("quiet"), grid: { stroke: colour("line"), width: 1 }, ticks: { stroke: colour("line"), width: 1 },
      font: "12px system-ui, sans-serif" };
    const plot = new uPlot({
      ...size, series, bands, cursor: { drag: { x: false, y: false } },
      axes: [{ ...axis, space: 64, values: times }, { ...axis, size: 58, values: (_, values) => values.map(id === "lift" ? signed : digits) }],
      scales: { x: { range: () => around(shown()) }, y: { range: (_, low, high) => id === "lift"
        ? [Math.min(low, 0) * 1.1, Math.max(high, 0) * 1.1 || 1] : [0, high * 1.08 || 1] } },
      hooks: { draw: [...(id === "lift" ? [zero] : []), (drawn) => intervals(drawn, shown())] },
    }, data, box);
    plots.set(id, { plot, shape, chart });
  }

  // The ends of the time axis: those of the curves, or further apart, with the curves in the middle.
  function around({ at, least }) { // uPlot itself would give a single point a day and more
    const more = Math.max(least - (at.at(-1) - at[0]), 0) / 2;
    return [at[0] - more, at.at(-1) + more];
  }

  // Where there are too few points for a band: a line from the low end of each to its high one.
  function intervals(plot, chart) {
    if (!few(chart)) return;
    const { ctx } = plot, height = (value) => plot.valToPos(value, "y", true);
    ctx.save();
    ctx.lineWidth = 2 * devicePixelRatio;
    for (const { name, low, high } of chart.curves) {
      ctx.strokeStyle = colour(name === "lift" ? "learner" : name) + "80";
      chart.at.forEach((at, n) => {
        if (low[n] == null) return;
        const x = plot.valToPos(at, "x", true);
        ctx.beginPath();
        ctx.moveTo(x, height(low[n]));
        ctx.lineTo(x, height(high[n]));
        ctx.stroke();
      });
    }
    ctx.restore();
  }

  // Marks of the time axis, as short as their distance allows.
  function times(_, marks) {
    const far = (marks.at(-1) - marks[0]) / (marks.length - 1 || 1);
    const look = far >= 86400 ? DAY : far >= 21600 ? { ...DAY, ...TIME } : far >= 60 ? TIME : { ...TIME, ...SECOND };
    const words = marks.map((at) => local(at * 1000, look));
    return words.map((word, n) => (word === words[n - 1] ? "" : word)); // two marks in one second
  }

  // The line at 0 of the lift.
  function zero(plot) {
    const y = plot.valToPos(0, "y", true), { ctx, bbox } = plot;
    ctx.save();
    ctx.strokeStyle = colour("ink");
    ctx.lineWidth = devicePixelRatio;
    ctx.beginPath();
    ctx.moveTo(bbox.left, y);
    ctx.lineTo(bbox.left + bbox.width, y);
    ctx.stroke();
    ctx.restore();
  }

  function drawAll() {
    if (!last) return;
    draw("rates", last.rates, digits);
    draw("lift", last.lift, signed);
  }

  async function refresh() {
    const box = document.querySelector("[data-chart]");
    if (!box || document.hidden) return;
    try {
      const answer = await fetch(`${box.dataset.chart}?span=${span}`, { headers: { "HX-Request": "true" } });
      if (!answer.ok) return;
      last = await answer.json();
      drawAll();
    } catch { /* the service is away: htmx says so */ }
  }

  function localTimes() {
    for (const time of document.querySelectorAll("time[datetime]")) {
      time.textContent = local(time.dateTime);
    }
  }

  function alarm(text) {
    const box = document.getElementById("alert");
    box.textContent = text;
    box.hidden = !text;
  }

  // Why something could not be done: beside its button, until it is dismissed or something else is done.
  function refuse(button, text) {
    const place = button.closest(".control")?.querySelector(".said");
    if (!place) return alarm(text);
    const words = Object.assign(document.createElement("p"), { className: "error", textContent: text });
    const dismiss = Object.assign(document.createElement("button"), { type: "button", className: "link", textContent: "Dismiss" });
    dismiss.addEventListener("click", () => words.remove());
    words.setAttribute("role", "alert");
    words.prepend(dismiss);
    place.replaceChildren(words);
    words.scrollIntoView({ block: "nearest" });
  }

  // What was done: a screen reader tells what changes, not what came with the page.
  function confirmed() {
    const words = document.querySelector(".done"), text = words?.textContent;
    if (!words) return;
    words.textContent = "";
    setTimeout(() => { words.textContent = text; words.scrollIntoView({ block: "nearest" }); }, 100);
  }

  const on = (name, handle) => document.addEventListener(name, handle);
  const polls = ({ detail }) => detail.requestConfig.verb === "get";
  let open = [];
  on("htmx:beforeRequest", (event) => {
    if (!polls(event)) for (const place of document.querySelectorAll(".said")) place.replaceChildren();
    else if (document.hidden) event.preventDefault();
  });
  on("htmx:confirm", (event) => { // a form in which nothing is chosen asks something else
    const { elt, issueRequest } = event.detail;
    if (!elt.dataset.nothing || [...new FormData(elt).values()].some(Boolean)) return;
    event.preventDefault();
    if (confirm(elt.dataset.nothing)) issueRequest(true);
  });
  on("htmx:configRequest", ({ detail }) => { // local times of a form, as seconds
    for (const field of ["from", "to"]) {
      const text = detail.parameters[field];
      if (text) detail.parameters[field] = new Date(text).getTime() / 1000;
    }
  });
  on("htmx:beforeSwap", () => { open = [...document.querySelectorAll("details[open]")].map(({ id }) => id); });
  on("htmx:afterSwap", (event) => {
    for (const id of open) document.getElementById(id)?.setAttribute("open", "");
    localTimes();
    drawAll();
    if (!polls(event)) confirmed();
  });
  on("htmx:afterRequest", ({ detail }) => { if (detail.successful) alarm(""); });
  on("htmx:sendError", (event) => polls(event) ? alarm("The service does not answer; trying again.")
    : refuse(event.detail.elt, "The service does not answer: try again."));
  on("htmx:responseError", (event) => {
    const { elt, xhr } = event.detail;
    let text = `The service answered ${xhr.status}.`;
    try { text = JSON.parse(xhr.responseText).detail; } catch { /* no problem document */ }
    if (polls(event)) alarm(text); else refuse(elt, text);
  });
  on("click", ({ target }) => {
    const button = target.closest("[data-span]");
    if (!button) return;
    span = button.dataset.span;
    for (const each of button.parentElement.children) each.setAttribute("aria-pressed", each === button);
    refresh();
  });
  on("visibilitychange", refresh);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", drawAll);
  addEventListener("resize", drawAll);
  localTimes();
  refresh();
  setInterval(refresh, CHART_EVERY);
})();
