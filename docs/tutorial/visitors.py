"""Simulated visitors of a page that `unirank serve` serves: python visitors.py KEY [how many]."""

import json
import random
import sys
from urllib.request import Request, urlopen

SERVICE = "http://127.0.0.1:8080"
LIKED = {"tea": 0.1, "mug": 0.5, "pot": 0.3, "tray": 0.2, "kettle": 0.6, "jar": 0.1}
LOOKED_AT = [1.0, 0.6, 0.4]  # chance that a visitor looks at the first, second, third place


def send(method, path, body, key):
    """Send JSON, return JSON."""
    headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
    request = Request(SERVICE + path, json.dumps(body).encode() or None, headers, method=method)
    with urlopen(request) as answer:
        return json.load(answer)


def visit(key, number):
    """One visitor comes, looks, clicks, and leaves."""
    shown = send("POST", "/v1/pages/shop/rank", {"session": f"visitor {number}"}, key)
    looks = zip(shown["items"], LOOKED_AT, strict=True)
    clicks = [item for item, look in looks if random.random() < look * LIKED[item]]
    send("POST", "/v1/clicks", {"token": shown["token"], "clicks": clicks, "final": True}, key)


def main(key, n_visitors):
    page = {"items": list(LIKED), "n_positions": 3, "holdout": {"share": 0.3}}
    send("PUT", "/v1/pages/shop", page, key)
    for number in range(n_visitors):
        visit(key, number)
    print(f"{n_visitors} visitors came and left")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 3000)
