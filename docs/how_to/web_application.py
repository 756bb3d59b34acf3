"""A shop page behind FastAPI. Each worker process holds a copy of the policy.

python web_application.py                         makes start.unirank; at night, merges the workers
WORKER=1 uvicorn web_application:app --port 8001  a worker; WORKER=2 on another port, and so on
"""

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse
from pydantic import BaseModel

import unirank as ur

PRODUCTS = ["tea", "mug", "pot", "tray", "kettle", "jar", "whisk", "tin"]
KEY = os.environ.get("TOKEN_KEY", "change me")  # signs the tokens; the same in every worker
START = Path("start.unirank")  # the policy that all workers are copies of
MINE = Path(f"worker-{os.environ.get('WORKER', '1')}.unirank")  # what this worker has learnt
SAVE_SECONDS = 10.0  # a crash loses at most what was learnt in these

sold_out: set[str] = set()


class Answer(BaseModel):
    token: str
    clicks: list[str]


@asynccontextmanager
async def lifespan(app: FastAPI) -> AsyncIterator[None]:
    """Load the policy, save it every now and then and at the end."""
    app.state.policy = ur.load(MINE if MINE.exists() else START, token_key=KEY)
    saving = asyncio.create_task(save_regularly(app.state.policy))
    yield
    saving.cancel()
    with suppress(asyncio.CancelledError):
        await saving
    app.state.policy.save(MINE)


async def save_regularly(policy: ur.Policy) -> None:
    while True:
        await asyncio.sleep(SAVE_SECONDS)
        await asyncio.to_thread(policy.save, MINE)


app = FastAPI(lifespan=lifespan)


@app.get("/page")
def page(request: Request) -> dict[str, object]:
    """What to show, and the token that comes back with the clicks."""
    in_stock = [product for product in PRODUCTS if product not in sold_out]
    shown = request.app.state.policy.rank(available=in_stock)
    return {"items": shown.items, "token": shown.token}


@app.post("/clicks", status_code=204)
def clicks(answer: Answer, request: Request) -> None:
    """All clicks of a visit at once, none included: this worker learns, whoever gave the list."""
    request.app.state.policy.update(answer.token, clicks=answer.clicks)


@app.exception_handler(ur.ArgumentError)
async def refuse(_: Request, error: Exception) -> JSONResponse:
    return JSONResponse({"error": str(error)}, status_code=400)


def merge() -> None:
    """Put what the workers have learnt into the policy they start from; none of them runs now."""
    everyone, learnt = ur.load(START, token_key=KEY), list(Path().glob("worker-*.unirank"))
    for path in learnt:
        try:
            everyone.merge(ur.load(path, token_key=KEY))
        except ur.ArgumentError as error:  # such as: it has learnt nothing new
            sys.stderr.write(f"{path}: {error}\n")
    everyone.save(START)
    for path in learnt:  # kept, but from now on each worker begins with START
        path.replace(path.with_suffix(".merged"))


if __name__ == "__main__":
    merge() if START.exists() else ur.UniRank(PRODUCTS, n_positions=3, token_key=KEY).save(START)
