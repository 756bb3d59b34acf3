// unirank.js: reports clicks on links with data-unirank, by the token of the list around them.
//   <script src="https://rank.example/unirank.js" defer></script>
//   <ul data-unirank-token="TOKEN"><li><a href="/mug" data-unirank="mug">Mug</a></li>...</ul>
// An item that is a number: data-unirank-number="12". Another address: data-address on the script.
(function () {
  "use strict";
  var script = document.currentScript;
  var address = (script.dataset.address || new URL(script.src).origin).replace(/\/$/, "") + "/v1/clicks";

  function report(event) {
    if (event.type === "auxclick" && event.button !== 1) return; // the middle button opens a link, too
    var link = event.target.closest && event.target.closest("[data-unirank],[data-unirank-number]");
    var list = link && link.closest("[data-unirank-token]");
    if (!list || !list.dataset.unirankToken) return;
    var item = "unirankNumber" in link.dataset ? Number(link.dataset.unirankNumber) : link.dataset.unirank;
    var body = JSON.stringify({ token: list.dataset.unirankToken, clicks: [item] });
    // Text, not JSON: so a page on another host needs no leave to send it. It outlives the page.
    if (!(navigator.sendBeacon && navigator.sendBeacon(address, body))) {
      fetch(address, { method: "POST", body: body, keepalive: true, credentials: "omit" });
    }
  }

  addEventListener("click", report, true);
  addEventListener("auxclick", report, true);
})();
