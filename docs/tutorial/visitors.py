"""Simulated visitors of a page that `unirank serve` serves.

python3 visitors.py KEY [address of the service] [how many]
"""

import json
import random
import sys
from urllib.error import HTTPError
from urllib.request import Request, urlopen

LIKED = {"tea": 0.1, "mug": 0.5, "pot": 0.3, "tray": 0.2, "kettle": 0.6, "jar": 0.1}
LOOKED_AT = [1.0, 0.6, 0.4]  # chance that a visitor looks at the first, second, third place


def send(service, method, path, body):
    """Send JSON, return JSON."""
    address, key = service
    headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
    request = Request(address + path, json.dumps(body).encode(), headers, method=method)
    with urlopen(request) as answer:
        return json.load(answer)


def visit(service, number):
    """One visitor comes, looks, clicks, and leaves."""
    shown = send(service, "POST", "/v1/pages/shop/rank", {"session": f"visitor {number}"})
    looks = zip(shown["items"], LOOKED_AT, strict=True)
    clicks = [item for item, look in looks if random.random() < look * LIKED[item]]
    send(service, "POST", "/v1/clicks", {"token": shown["token"], "clicks": clicks, "final": True})


def main(key, address="http://127.0.0.1:8080", n_visitors=3000):
    service = address.rstrip("/"), key
    page = {"items": list(LIKED), "n_positions": 3, "holdout": {"share": 0.3}, "window_s": 5}
    try:
        send(service, "PUT", "/v1/pages/shop", page)
        for number in range(int(n_visitors)):
            visit(service, number)
    except HTTPError as error:
        sys.exit(f"the service refuses: {json.load(error)['detail']}")
    except OSError as error:
        sys.exit(f"nobody answers at {address}, start unirank serve or give its address: {error}")
    print(f"{n_visitors} visitors came and left")


if __name__ == "__main__":
    main(*sys.argv[1:]) if len(sys.argv) > 1 else sys.exit(__doc__)
