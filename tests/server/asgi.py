"""A client that calls an application directly, without a network."""

import asyncio
from typing import Any

import httpx
from starlette.applications import Starlette


class Client:
    """Like `httpx.Client`; each request runs in an event loop of its own."""

    def __init__(self, app: Starlette) -> None:
        self._transport = httpx.ASGITransport(app, raise_app_exceptions=False)
        self.cookies: dict[str, str] = {}

    def request(self, method: str, path: str, **values: Any) -> httpx.Response:
        async def send() -> httpx.Response:
            async with httpx.AsyncClient(
                transport=self._transport, base_url="http://test", cookies=self.cookies
            ) as client:
                return await client.request(method, path, **values)

        return asyncio.run(send())

    def get(self, path: str, **values: Any) -> httpx.Response:
        return self.request("GET", path, **values)

    def put(self, path: str, **values: Any) -> httpx.Response:
        return self.request("PUT", path, **values)

    def post(self, path: str, **values: Any) -> httpx.Response:
        return self.request("POST", path, **values)
