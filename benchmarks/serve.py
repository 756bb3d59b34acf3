"""`unirank serve` under load, as ratios of one run. Needs wrk; all on this machine.

    .venv/bin/python -m benchmarks.serve [SCALE]

`make bench-serve` writes it to benchmarks/serve.txt. The unit of speed is a program of the same
stack (Starlette on uvicorn, with the same settings) that answers every request with one JSON text.
Runs alternate, and the median of the ratios counts. With SCALE 0.1, the memory is that
of a tenth of the requests.
"""

import asyncio
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from multiprocessing import get_context
from pathlib import Path
from random import Random
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from time import perf_counter, sleep

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from tests.server.faults.fleet import Fleet, _free_ports, fleet
from tests.server.stores import service_on
from unirank.markdown import markdown_table
from unirank.server.api import PageSettings, RankRequest

SETTINGS = PageSettings([f"item {n}" for n in range(20)], 5, policy="unirank", window_s=3600.0)
N_CLIENTS, SECONDS, N_REPEATS = 64, 4.0, 5
N_TOKENS = 30_000  # of one series of clicks
N_PAGES, N_IN_MEMORY = 10_000, 1_000
N_REQUESTS = 10**6  # for memory
SCRIPT = """
local bodies, at = {}, 0
for line in io.lines("%s") do bodies[#bodies + 1] = line end
wrk.method = "POST"
wrk.headers["Authorization"] = "Bearer %s"
request = function()
  at = at %% #bodies + 1
  return wrk.format(nil, nil, nil, bodies[at])
end
done = function(summary, latency)
  io.write(string.format("RESULT %%d %%d %%d %%f\\n",
    summary.requests, summary.duration,
    summary.errors.status + summary.errors.connect + summary.errors.read + summary.errors.timeout,
    latency:percentile(99.0)))
end
"""


async def hello(request: Request) -> JSONResponse:
    return JSONResponse({"hello": "world"})


def serve_hello(port: int) -> None:
    app = Starlette(routes=[Route("/", hello, methods=["GET", "POST"])])
    uvicorn.run(app, port=port, access_log=False, log_config=None)


@contextmanager
def hello_server() -> Iterator[int]:
    (port,) = _free_ports(1)
    process = get_context("forkserver").Process(target=serve_hello, args=(port,), daemon=True)
    process.start()
    sleep(1.0)
    try:
        yield port
    finally:
        process.kill()
        process.join()


def loaded(
    url: str, bodies: list[str], key: str, folder: Path, n_clients: int, seconds: float = SECONDS
) -> tuple[float, float]:
    """Requests per second and the 99th percentile of their seconds."""
    (folder / "bodies").write_text("\n".join(bodies) + "\n")
    (folder / "load.lua").write_text(SCRIPT % (folder / "bodies", key))
    command = ["wrk", "-t1", f"-c{n_clients}", f"-d{seconds:g}s", "-s", str(folder / "load.lua")]
    done = subprocess.run([*command, url], capture_output=True, text=True, check=True)
    found = re.search(r"RESULT (\d+) (\d+) (\d+) (\S+)", done.stdout)
    assert found is not None, done.stdout
    n_done, micros, n_errors, p99 = found.groups()
    assert int(n_errors) == 0, done.stdout
    return int(n_done) / int(micros) * 1e6, float(p99) / 1e6


def tokens(path: Path, n: int) -> list[str]:
    """Reports of one click each, on lists that were given on this database."""

    async def given() -> list[str]:
        await service.put_page("page", SETTINGS)
        shown = []
        for _ in range(n):
            service.leases.refill()
            shown.append(await service.rank("page", RankRequest(defer=True)))
        return [json.dumps({"token": each.token, "clicks": each.items[:1]}) for each in shown]

    with service_on(path) as service:
        return asyncio.run(given())


def fsync_seconds(folder: Path, n: int = 200) -> float:
    """Median time to write 4 kB at the end of a file and have it on disk."""
    found = []
    with (folder / "fsync").open("wb") as file:
        for _ in range(n):
            file.write(b"x" * 4096)
            file.flush()
            start = perf_counter()
            os.fdatasync(file.fileno())
            found.append(perf_counter() - start)
    return median(found)


def speeds(folder: Path) -> list[list[str]]:
    path, rows = folder / "pages.sqlite", []
    reports = tokens(path, N_TOKENS * N_REPEATS)
    with hello_server() as port, fleet(path, folder, tick=0.25) as started:
        home, service = f"http://127.0.0.1:{port}/", f"http://127.0.0.1:{started.ports[0]}"

        def clicks(part: int, n_clients: int) -> tuple[float, float]:
            first, half = part * N_TOKENS, N_TOKENS // 2
            mine = reports[first : first + half] if n_clients == 1 else reports[first + half :]
            mine = mine[: N_TOKENS // 2]
            return loaded(f"{service}/v1/clicks", mine, started.key, folder, n_clients)

        series = []
        for part in range(N_REPEATS):
            unit, _ = loaded(home, ["{}"], "", folder, N_CLIENTS)
            rank, _ = loaded(
                f"{service}/v1/pages/page/rank", ["{}"], started.key, folder, N_CLIENTS
            )
            many, _ = clicks(part, N_CLIENTS)
            disk = fsync_seconds(folder)
            one, p99 = clicks(part, 1)
            series.append((rank / unit, many / unit, many / one, p99 / disk, unit, rank, many, one))
    names = (
        ("rank, 64 clients / hello", 2, ">= 0.4"),
        ("clicks, 64 clients / hello", 2, ">= 0.3"),
        ("clicks, 64 clients / 1 client", 1, ">= 20"),
        ("p99 of clicks, 1 client / median fsync", 1, "<= 4"),
    )
    for place, (name, digits, wanted) in enumerate(names):
        found = [each[place] for each in series]
        low, high = min(found), max(found)
        rows.append(
            [
                name,
                f"{median(found):.{digits}f}",
                f"{low:.{digits}f} to {high:.{digits}f}",
                wanted,
            ]
        )
    unit, rank, many, one = (median(each[place] for each in series) for place in range(4, 8))
    sys.stderr.write(f"a second: hello {unit:.0f}, rank {rank:.0f}, clicks {many:.0f}, {one:.0f}\n")
    return rows


def rank_seconds(started: Fleet, names: list[str]) -> list[float]:
    connection = HTTPConnection("127.0.0.1", started.ports[0])
    headers, found = {"Authorization": f"Bearer {started.key}"}, []
    for name in names:
        start = perf_counter()
        connection.request("POST", f"/v1/pages/{name}/rank", headers=headers)
        answer = connection.getresponse()
        answer.read()
        found.append(perf_counter() - start)
        assert answer.status == 200
    connection.close()
    return found


def cold_pages(folder: Path) -> list[list[str]]:
    n_pages, n_kept = N_PAGES, N_IN_MEMORY
    path, chance = folder / "many.sqlite", Random(1)
    with service_on(path) as service:
        for number in range(n_pages):
            service.store.create_page(f"p{number}", SETTINGS)
    with fleet(path, folder, most_in_memory=n_kept, tick=0.25) as started:
        rank_seconds(started, [f"p{number}" for number in range(n_kept)])
        ratios = []
        for part in range(N_REPEATS):
            warm_names = [f"p{number}" for number in range(n_kept // 2)]
            rank_seconds(started, warm_names)
            warm = rank_seconds(started, chance.choices(warm_names, k=1000))
            begin = n_kept + part * (n_pages - n_kept) // N_REPEATS
            cold = [f"p{begin + n}" for n in range((n_pages - n_kept) // N_REPEATS)]
            ratios.append(_p99(rank_seconds(started, cold)) / _p99(warm))
    name = f"p99 of rank, cold / warm page; {n_pages:,} pages, {n_kept:,} in memory"
    return [[name, f"{median(ratios):.1f}", f"{min(ratios):.1f} to {max(ratios):.1f}", "<= 10"]]


def _p99(seconds: list[float]) -> float:
    return quantiles(seconds, n=100)[98]


def memory(folder: Path, scale: float) -> list[list[str]]:
    """Resident memory of the process over many requests; windows close and are learnt from."""
    path, n_wanted = folder / "memory.sqlite", int(N_REQUESTS * scale)
    with fleet(path, folder, tick=0.25) as started:
        connection = HTTPConnection("127.0.0.1", started.ports[0])
        headers = {"Authorization": f"Bearer {started.key}"}
        page = {"items": SETTINGS.items, "n_positions": 5, "policy": "unirank", "window_s": 1.0}
        connection.request("PUT", "/v1/pages/page", json.dumps(page), headers)
        assert connection.getresponse().read()
        url = f"http://127.0.0.1:{started.ports[0]}/v1/pages/page/rank"
        n_done, sizes = 0, []
        while n_done < n_wanted:
            speed, _ = loaded(url, ["{}"], started.key, folder, N_CLIENTS, SECONDS)
            n_done += int(speed * SECONDS)
            sleep(2.0)  # windows close
            status = Path(f"/proc/{started.pid()}/statm").read_text().split()
            sizes.append((n_done, int(status[1]) * 4096 / 2**20))
    sys.stderr.write(f"memory: {[(n, round(mib)) for n, mib in sizes]}\n")
    early = next(mib for n, mib in sizes if n >= n_done / 4)
    name = f"memory after {n_done:,} requests / after a quarter of them"
    text = f"{early:.0f} to {sizes[-1][1]:.0f} MiB"
    return [[name, f"{sizes[-1][1] / early:.2f}", text, "flat"]]


def main(scale: float = 1.0) -> None:
    rows: list[list[str]] = []
    parts: list[Callable[[Path], list[list[str]]]] = [
        speeds,
        cold_pages,
        lambda folder: memory(folder, scale),
    ]
    for part in parts:
        with TemporaryDirectory() as folder:
            rows += part(Path(folder))
    table = markdown_table(("ratio", "median", "range", "wanted"), rows, numbers_from=1)
    sys.stdout.write(f"{table}\n")


if __name__ == "__main__":
    main(*map(float, sys.argv[1:]))
