"""Each format is told by hand for one session; all of them are read back in test_writing.py."""

from collections.abc import Iterator

import numpy as np
import pytest

from unirank.click_models import CM
from unirank.logs.synthetic.drawing import Sessions, SyntheticLog
from unirank.logs.synthetic.line_formats import LINE_FORMATS, N_DAYS, N_USERS

LOG = SyntheticLog(
    {"12": CM([0.5] * 3), "7": CM([0.5] * 2)}, {"12": [4, 5, 6], "7": ["x", "y"]}, n_pages=1, seed=2
)
BLOCK = Sessions(41, np.array([0, 1]), np.array([[True, False, True], [False, True, False]]))


@pytest.fixture(scope="module")
def shown() -> list[list[str]]:
    """Ids on the only page of each query."""
    lengths = LOG.pages.length
    return [
        [LOG.pages.items[item] for item in LOG.pages.shown[page, : lengths[page]]]
        for page in range(2)
    ]


def lines(name: str) -> Iterator[str]:
    chosen = LINE_FORMATS[name]
    texts = list(chosen.texts(LOG.pages))
    for session, text in zip(*chosen.rows(LOG.pages, BLOCK), strict=True):
        number = str(BLOCK.first + session)
        yield number + texts[text] if chosen.session_first else texts[text] + number


def test_personalised_web_search(shown: list[list[str]]) -> None:
    number = {item: n for n, item in enumerate(LOG.pages.items)}
    urls = ["\t".join(f"{item},{number[item]}" for item in page) for page in shown]
    assert list(lines("yandex-search")) == [
        f"41\tM\t{41 % N_USERS % N_DAYS + 1}\t41",
        f"41\t0\tQ\t0\t12\t0,1\t{urls[0]}",
        f"41\t10\tC\t0\t{shown[0][0]}",
        f"41\t30\tC\t0\t{shown[0][2]}",
        f"42\tM\t{42 % N_USERS % N_DAYS + 1}\t42",
        f"42\t0\tQ\t0\t7\t1,2\t{urls[1]}",
        f"42\t20\tC\t0\t{shown[1][1]}",
    ]


def test_relevance_prediction(shown: list[list[str]]) -> None:
    assert list(lines("yandex-relpred")) == [
        "\t".join(["41", "0", "Q", "12", "0", *shown[0]]),
        f"41\t10\tC\t{shown[0][0]}",
        f"41\t30\tC\t{shown[0][2]}",
        "\t".join(["42", "0", "Q", "7", "0", *shown[1]]),
        f"42\t20\tC\t{shown[1][1]}",
    ]


def test_kdd_cup(shown: list[list[str]]) -> None:
    rows = [("12", 3, 41, [1, 0, 1]), ("7", 2, 42, [0, 1])]
    assert list(lines("kdd")) == [
        f"{click}\t1\t{ad}\t{ad}\t{ad}\t{depth}\t{n + 1}\t{query}\t{query}\t{ad}\t{ad}\t{user}"
        for (query, depth, user, clicks), page in zip(rows, shown, strict=True)
        for n, (click, ad) in enumerate(zip(clicks, page, strict=True))
    ]


def test_rows_of_sessions(shown: list[list[str]]) -> None:
    assert list(lines("sessions")) == [
        f"41,12,1,{shown[0][0]},1",
        f"41,12,2,{shown[0][1]},0",
        f"41,12,3,{shown[0][2]},1",
        f"42,7,1,{shown[1][0]},0",
        f"42,7,2,{shown[1][1]},1",
    ]
