import json
import logging

import pytest

from unirank.server.json_log import JsonLines, log_as_json


def test_a_line_is_an_object_with_its_error() -> None:
    try:
        raise ValueError("no")
    except ValueError as error:
        info = (ValueError, error, error.__traceback__)
    record = logging.LogRecord("unirank.server", 30, "f", 1, "page %s", ("p",), info)
    record.fields = {"status": 200}
    line = json.loads(JsonLines().format(record))
    assert (line["level"], line["message"], line["status"]) == ("warning", "page p", 200)
    assert "ValueError: no" in line["error"]


def test_the_level_decides_what_is_written(capsys: pytest.CaptureFixture[str]) -> None:
    log = logging.getLogger("unirank.server")
    kept = log.handlers, log.propagate, log.level
    try:
        log_as_json("warning")
        log.info("not this")
        log.warning("this")
    finally:
        log.handlers, log.propagate = kept[0], kept[1]
        log.setLevel(kept[2])
    (line,) = capsys.readouterr().err.splitlines()
    assert json.loads(line)["message"] == "this"
