import json
import logging

import msgspec
import pytest

from unirank.errors import MissingExtraError
from unirank.server import problems
from unirank.server.errors import NotLoaded
from unirank.server.json_log import Seldom
from unirank.server.problems import HANDLERS, answer_to, problem
from unirank.server.store.database import StoreUnavailable


def test_a_problem_is_one_sentence_in_a_document() -> None:
    answer = problem(503, "the database\n does not answer")
    assert answer.headers["retry-after"] == "1"
    assert answer.media_type == "application/problem+json"
    assert json.loads(bytes(answer.body)) == {
        "type": "about:blank",
        "title": "Try again later",
        "status": 503,
        "detail": "the database does not answer",
    }


def test_a_package_that_is_missing_is_no_fault_of_the_request() -> None:
    answer = answer_to(MissingExtraError("this needs pyarrow, which is not installed"))
    assert (answer.status_code, json.loads(bytes(answer.body))["title"]) == (
        501,
        "Not installed here",
    )


def test_who_asks_for_a_page_that_is_being_loaded_is_told_so() -> None:
    answer = answer_to(NotLoaded("page 'p' is being loaded"))
    assert (answer.status_code, answer.headers["retry-after"]) == (503, "1")
    assert json.loads(bytes(answer.body))["detail"] == "page 'p' is being loaded"


def test_a_wrong_value_is_told_from_a_wrong_text() -> None:
    assert HANDLERS[msgspec.ValidationError] is not HANDLERS[msgspec.DecodeError]


def test_a_stranger_is_not_told_where_the_database_is(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(problems, "unavailable", Seldom(60.0))
    cause = "connection to server at db.example, user unirank, failed"
    with caplog.at_level(logging.WARNING, "unirank.server"):
        answers = [answer_to(StoreUnavailable(cause)) for _ in range(2)]
    assert b"send the request again" in bytes(answers[0].body)
    assert b"db.example" not in bytes(answers[0].body)
    assert caplog.text.count(cause) == 1
