"""The curl commands of README and of the pages on `unirank serve`, against one service."""

import re
import shlex

import msgspec
import pytest

from tests.docs.sources import DOCS
from tests.server.process import ServerProcess

PAGES = (
    "../README.md",
    "tutorial/a_page_that_learns.md",
    "how_to/serve_pages.md",
    "how_to/shop_page.md",
)
HOST = "http://127.0.0.1:8080"
VISITORS = {  # the page that visitors.py makes, in the tutorial
    "items": ["tea", "mug", "pot", "tray", "kettle", "jar"],
    "n_positions": 3,
    "holdout": {"share": 0.3},
}


def requests_of(page: str) -> list[tuple[str, str, bytes]]:
    """Method, path and body of every curl command."""
    blocks = re.findall(r"```text\n(.*?)```", (DOCS / page).read_text(), re.DOTALL)
    lines = [line for block in blocks for line in block.replace("\\\n", " ").splitlines()]
    return [_request(shlex.split(line)) for line in lines if line.startswith("curl ")]


def _request(words: list[str]) -> tuple[str, str, bytes]:
    sent = {option: words[words.index(option) + 1] for option in ("-X", "-d") if option in words}
    (address,) = (word for word in words if word.startswith(HOST))
    return sent.get("-X", "GET"), address.removeprefix(HOST), sent.get("-d", "").encode()


@pytest.fixture(scope="module")
def said(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[str, str, int, str]]:
    with ServerProcess(tmp_path_factory.mktemp("curl") / "pages.sqlite") as server:
        assert server.client.put("/v1/pages/shop", json=VISITORS).is_success
        found = []
        for page in PAGES:
            for method, path, body in requests_of(page):
                answer = server.client.request(method, path, content=body)
                found.append((page, f"{method} {path}", answer.status_code, answer.text))
        return found


def test_a_reader_of_one_page_after_the_other_is_refused_nothing(
    said: list[tuple[str, str, int, str]],
) -> None:
    assert {page for page, *_ in said} == set(PAGES)
    refused = [each for each in said if each[2] >= 400]
    assert not refused


def test_the_page_of_the_tutorials_visitors_is_the_one_here() -> None:
    program = (DOCS / "tutorial/visitors.py").read_text()
    (liked,) = re.findall(r"LIKED = (\{.*\})", program)
    assert list(msgspec.json.decode(liked)) == VISITORS["items"]
    assert '"n_positions": 3, "holdout": {"share": 0.3}' in program


def test_pages_and_programs_know_the_key_by_one_name() -> None:
    pages = (DOCS / page for page in (*PAGES, "how_to/serve_postgresql.md"))
    names = {name for page in pages for name in re.findall(r"Bearer \$(\w+)", page.read_text())}
    assert names == {"UNIRANK_KEY"}
    assert all(f"export {name}=" in (DOCS / page).read_text() for page in PAGES for name in names)
    assert 'os.environ.get("UNIRANK_KEY"' in (DOCS / "how_to/shop_page.py").read_text()
