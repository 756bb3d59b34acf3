"""A shop's page: the server asks for the order, the browser reports the clicks."""

import json
import os
import sys
from html import escape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from string import Template
from urllib.parse import quote
from urllib.request import Request, urlopen

RANK = os.environ.get("UNIRANK_ADDRESS", "http://127.0.0.1:8080")
KEY = os.environ.get("UNIRANK_KEY", "")  # stays here: the browser gets a token only
TODAY = ["tea", "mug", "pot"]  # shown if no order comes in time
PAGE = Template(Path(__file__).with_suffix(".html").read_text())


def ranked() -> tuple[list[str], str]:
    """The items to show and the token of this list; today's order if the service is away."""
    headers = {"Authorization": f"Bearer {KEY}"}
    request = Request(f"{RANK}/v1/pages/teashop/rank", b"{}", headers, method="POST")
    try:
        with urlopen(request, timeout=0.5) as answer:
            found = json.load(answer)
    except OSError:
        return TODAY, ""  # without a token nothing is reported
    return found["items"], found["token"]


class Shop(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        items, token = ([], "") if self.path != "/" else ranked()
        links = [
            f'<li><a href="/product?{quote(item)}" data-unirank="{escape(item)}">{escape(item)}</a>'
            for item in items
        ]
        page = PAGE.substitute(rank=RANK, token=token, links="\n  ".join(links))
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Cache-Control", "no-store")  # each visitor gets a list and a token
        self.end_headers()
        self.wfile.write(page.encode())


if __name__ == "__main__":
    if not KEY:
        sys.exit("UNIRANK_KEY must hold a key of the service: export UNIRANK_KEY=unirank_...")
    address = "127.0.0.1", int(os.environ.get("PORT", "8000"))
    with ThreadingHTTPServer(address, Shop) as server:
        server.serve_forever()
