import msgspec
import pytest

from unirank.server.api import Holdout, PageRequest, PageSettings, RankRequest, Without


@pytest.mark.parametrize(
    "text",
    [
        '{"items": [true], "n_positions": 1}',
        '{"items": [""], "n_positions": 1}',
        '{"items": [9007199254740993], "n_positions": 1}',
        '{"items": ["a"], "n_positions": 0}',
        '{"items": ["a"], "n_positions": 1, "windows": 3}',
        '{"items": ["a"], "n_positions": 1, "window_s": 0}',
        '{"items": ["a"], "n_positions": 1, "holdout": {"share": 0.6}}',
    ],
)
def test_a_page_outside_its_limits_is_refused(text: str) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(text, type=PageRequest)


def test_what_was_stored_is_read_whatever_the_limits_of_a_request() -> None:
    stored = PageSettings([""] * 2000, 0, start=[2**60] * 2000, window_s=1e9, holdout=Holdout(0.9))
    assert msgspec.json.decode(msgspec.json.encode(stored), type=PageSettings) == stored


def test_the_smallest_page_has_defaults() -> None:
    page = msgspec.json.decode('{"items": ["a", 2], "n_positions": 1}', type=PageSettings)
    assert (page.policy, page.mode, page.holdout.share) == ("matchrank", "learn", 0.05)


@pytest.mark.parametrize(
    ("holdout", "new", "changed"),
    [
        ('{"order": "random"}', Holdout(0.05, "random"), Holdout(0.1, "random")),
        ('{"share": 0.2}', Holdout(0.2, "start"), Holdout(0.2, "random")),
        ("{}", Holdout(), Holdout(0.1, "random")),
    ],
)
def test_what_is_not_sent_of_a_holdout_stays(holdout: str, new: Holdout, changed: Holdout) -> None:
    text = f'{{"items": ["a"], "n_positions": 1, "holdout": {holdout}}}'
    sent = msgspec.json.decode(text, type=PageRequest)
    there = PageSettings(["a"], 1, holdout=Holdout(0.1, "random"))
    assert (sent.settings().holdout, sent.settings(there).holdout) == (new, changed)


def test_a_session_is_a_short_text() -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(f'{{"session": "{"x" * 201}"}}', type=RankRequest)


def test_from_is_called_from() -> None:
    assert msgspec.json.decode('{"from": 3}', type=Without).from_ == 3.0
