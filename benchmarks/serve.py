"""`unirank serve` under load, as ratios of one run. Needs wrk; all on this machine.

    .venv/bin/python -m benchmarks.serve [SCALE]

`make bench-serve` writes it to benchmarks/serve.txt. The unit of speed is a program of the same
stack (Starlette on uvicorn, with the same settings) that answers every request with one JSON text.
Runs alternate, and the median of the ratios counts. With SCALE 0.1, the memory is that
of a tenth of the requests. Rows without a wanted value help to read the others.

What many clients gain over one depends on the disk: a commit takes one fsync however many clicks
are in it. On a quick disk one client alone comes near the speed of the stack. Two rows are of a
disk that is made slower: a library in front of the C library sleeps before every fsync of the
service (needs a C compiler).
"""

import asyncio
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from http.client import HTTPConnection
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from random import Random
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from time import perf_counter, sleep, thread_time
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from tests.server.faults.fleet import Fleet, _free_ports, fleet
from tests.server.process import ServerProcess
from tests.server.stores import service_on
from unirank.markdown import markdown_table
from unirank.server.api import PageSettings, RankRequest
from unirank.server.app import make_app
from unirank.server.limits import Limits

SETTINGS = PageSettings([f"item {n}" for n in range(20)], 5, policy="unirank", window_s=3600.0)
N_CLIENTS, SECONDS, N_REPEATS = 64, 2.0, 10
N_MANY, N_ONE = 15_000, 2_000  # reports of clicks for one slice
N_PAGES, N_IN_MEMORY = 10_000, 1_000
N_REQUESTS, PART = 10**6, 10.0  # for memory; seconds between looks at it
SLOW_MS = (2, 10)  # added to an fsync: network storage, a magnetic disk
SLOW_DISK = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <unistd.h>
static int after(const char *name, int file) {
    usleep(MILLISECONDS * 1000);
    return ((int (*)(int)) dlsym(RTLD_NEXT, name))(file);
}
int fsync(int file) { return after("fsync", file); }
int fdatasync(int file) { return after("fdatasync", file); }
"""
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
    command = ["wrk", "-t1", f"-c{n_clients}", f"-d{seconds:g}s", "--timeout", "20s"]
    command += ["-s", str(folder / "load.lua")]
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


def fsync_seconds(folder: Path, n: int = 200) -> list[float]:
    """Times to write 4 kB at the end of a file and have them on disk."""
    found = []
    with (folder / "fsync").open("wb") as file:
        for _ in range(n):
            file.write(b"x" * 4096)
            file.flush()
            start = perf_counter()
            os.fdatasync(file.fileno())
            found.append(perf_counter() - start)
    return found


def speeds(folder: Path) -> list[list[str]]:
    """Alternate slices of all that is compared; a ratio is of slices that follow each other."""
    path, found = folder / "pages.sqlite", []
    reports = iter(tokens(path, (N_MANY + N_ONE) * N_REPEATS))
    with hello_server() as port, fleet(path, folder, tick=0.25) as started:
        home, service = f"http://127.0.0.1:{port}/", f"http://127.0.0.1:{started.ports[0]}"

        def hello_speed(n_clients: int) -> tuple[float, float]:
            return loaded(home, ["{}"], "", folder, n_clients)

        def rank_speed(n_clients: int) -> float:
            url = f"{service}/v1/pages/page/rank"
            return loaded(url, ["{}"], started.key, folder, n_clients)[0]

        def clicks(n_clients: int) -> tuple[float, float]:
            mine = list(islice(reports, N_ONE if n_clients == 1 else N_MANY))
            return loaded(f"{service}/v1/clicks", mine, started.key, folder, n_clients)

        for _ in range(N_REPEATS):
            hello_many, _ = hello_speed(N_CLIENTS)
            rank_many = rank_speed(N_CLIENTS)
            clicks_many, _ = clicks(N_CLIENTS)
            hello_one, hello_p99 = hello_speed(1)
            clicks_one, p99 = clicks(1)
            disk = fsync_seconds(folder)
            found.append(
                (
                    rank_many / hello_many,
                    clicks_many / hello_many,
                    clicks_many / clicks_one,
                    p99 / median(disk),
                    hello_many / hello_one,
                    hello_p99 / median(disk),
                    1.0 / clicks_one / median(disk),
                    _p99(disk) / median(disk),
                )
            )
            sys.stderr.write(
                f"a second: hello {hello_many:.0f}, {hello_one:.0f}; rank {rank_many:.0f}; clicks "
                f"{clicks_many:.0f}, {clicks_one:.0f}; fsync {median(disk) * 1000:.1f} ms\n"
            )
    names = (
        ("rank, 64 clients / hello", 2, ">= 0.4"),
        ("clicks, 64 clients / hello", 2, ">= 0.3"),
        ("clicks, 64 clients / 1 client, this disk", 1, ">= 20"),
        ("p99 of clicks, 1 client / median fsync, this disk", 1, "<= 4"),
        ("hello, 64 clients / 1 client", 1, ""),
        ("p99 of hello, 1 client / median fsync", 1, ""),
        ("a click, 1 client / median fsync", 1, ""),
        ("p99 of fsync / median fsync", 1, ""),
    )
    return [
        spread(name, [each[place] for each in found], digits, wanted)
        for place, (name, digits, wanted) in enumerate(names)
    ]


def slow_disk(folder: Path) -> list[list[str]]:
    """Clicks of one client and of many, where each fsync takes some milliseconds more."""
    rows = []
    for milliseconds in SLOW_MS:
        ratios, tails = zip(*slow_speeds(folder, milliseconds), strict=True)
        where = f"an fsync {milliseconds} ms slower"
        wanted = (">= 20", "<= 4") if milliseconds == max(SLOW_MS) else ("", "")
        rows.append(spread(f"clicks, 64 clients / 1 client, {where}", ratios, 1, wanted[0]))
        rows.append(spread(f"p99 of clicks, 1 client / median fsync, {where}", tails, 1, wanted[1]))
    return rows


def slow_speeds(folder: Path, milliseconds: int) -> list[tuple[float, float]]:
    library = folder / f"slow_{milliseconds}.so"
    source = SLOW_DISK.replace("MILLISECONDS", str(milliseconds))
    build = ["cc", "-shared", "-fPIC", "-x", "c", "-o", str(library), "-", "-ldl"]
    subprocess.run(build, input=source.encode(), check=True)
    path, found = folder / f"slow_{milliseconds}.sqlite", []
    n_repeats, flags = N_REPEATS // 2, ("--tick", "0.25", "--requests-per-s", "1e9")
    reports = iter(tokens(path, (N_MANY + N_ONE) * n_repeats))
    with ServerProcess(path, *flags, environment={"LD_PRELOAD": str(library)}) as server:
        for _ in range(n_repeats):
            speed = {}
            for n_clients, n in ((N_CLIENTS, N_MANY), (1, N_ONE)):
                mine = list(islice(reports, n))
                url = f"{server.address}/v1/clicks"
                speed[n_clients], p99 = loaded(url, mine, server.key, folder, n_clients)
            disk = median(fsync_seconds(folder)) + milliseconds / 1000
            found.append((speed[N_CLIENTS] / speed[1], p99 / disk))
            sys.stderr.write(
                f"{milliseconds} ms more: clicks a second {speed[N_CLIENTS]:.0f}, {speed[1]:.0f}\n"
            )
    return found


def spread(name: str, found: Sequence[float], digits: int, wanted: str) -> list[str]:
    low, high = (f"{end:.{digits}f}" for end in (min(found), max(found)))
    return [name, f"{median(found):.{digits}f}", f"{low} to {high}", wanted]


def processor(folder: Path) -> list[list[str]]:
    """Processor time of the loop's thread, without a network: other programs do not matter."""

    async def called(app: Any, path: str, key: str, body: bytes) -> None:
        async def receive() -> Any:
            return {"type": "http.request", "body": body}

        async def send(message: Any) -> None:
            assert message.get("status", 200) in (200, 202)

        headers = [(b"authorization", f"Bearer {key}".encode())]
        scope = {"type": "http", "method": "POST", "path": path, "headers": headers}
        await app({**scope, "query_string": b""}, receive, send)

    async def seconds(app: Any, path: str, key: str, bodies: list[bytes]) -> float:
        start = thread_time()
        for first in range(0, len(bodies), N_CLIENTS):
            group = bodies[first : first + N_CLIENTS]
            await asyncio.gather(*(called(app, path, key, body) for body in group))
        return (thread_time() - start) / len(bodies)

    async def measured() -> list[tuple[float, float]]:
        app, key, found = make_app(service), service.keys.create(("admin",)), []
        hello_app = Starlette(routes=[Route("/", hello, methods=["POST"])])
        for part in range(N_REPEATS):
            empty = [b"{}"] * 2048
            unit = await seconds(hello_app, "/", key, empty)
            rank = await seconds(app, "/v1/pages/page/rank", key, empty)
            mine = [text.encode() for text in reports[part * 2048 : (part + 1) * 2048]]
            found.append((rank / unit, await seconds(app, "/v1/clicks", key, mine) / unit))
        return found

    path = folder / "processor.sqlite"
    reports = tokens(path, 2048 * N_REPEATS)
    with service_on(path, limits=Limits(requests_per_s=1e9)) as service:
        found = asyncio.run(measured())
    return [
        spread(f"processor time of the loop, {name} / hello", [each[n] for each in found], 1, "")
        for n, name in enumerate(("rank", "a click"))
    ]


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
            speed, _ = loaded(url, ["{}"], started.key, folder, N_CLIENTS, PART)
            n_done += int(speed * PART)
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
        slow_disk,
        processor,
        cold_pages,
        lambda folder: memory(folder, scale),
    ]
    for part in parts:
        with TemporaryDirectory() as folder:
            found = part(Path(folder))
        rows += found
        sys.stderr.writelines(f"{' | '.join(row)}\n" for row in found)
    table = markdown_table(("ratio", "median", "range", "wanted"), rows, numbers_from=1)
    sys.stdout.write(f"{table}\n")


if __name__ == "__main__":
    main(*map(float, sys.argv[1:]))
