"""Structured logs: one JSON object a line, on standard error."""

import logging
import sys
from datetime import UTC, datetime
from time import monotonic

import msgspec
from starlette.types import Scope

log = logging.getLogger("unirank.server")


class JsonLines(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        line = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
            **getattr(record, "fields", {}),
        }
        if record.exc_info:
            line["error"] = self.formatException(record.exc_info)
        return msgspec.json.encode(line).decode()


def log_as_json(level: str) -> None:
    """Write what the service and its web server log, from this level on."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    for name in ("unirank.server", "uvicorn"):
        logger = logging.getLogger(name)
        logger.handlers, logger.propagate = [handler], False
        logger.setLevel(level.upper())


def log_answer(scope: Scope, status: int, seconds: float) -> None:
    """Write a line of each answer, at the level debug."""
    if log.isEnabledFor(logging.DEBUG):
        fields = {"status": status, "ms": round(1000 * seconds, 3)}
        log.debug("%s %s", scope["method"], scope["path"], extra={"fields": fields})


class Seldom:
    """Says whether something that happens again and again is due to be logged."""

    def __init__(self, seconds: float) -> None:
        self._seconds, self._due_at = seconds, 0.0

    def is_due(self) -> bool:
        now = monotonic()
        is_due = now >= self._due_at
        if is_due:
            self._due_at = now + self._seconds
        return is_due
