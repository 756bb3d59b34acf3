"""The choices and the fields at a place of a request."""

from unirank.server.api import ClickReport, KeyRequest, PageRequest
from unirank.server.choices import choices_of, fields_of


def test_lists_of_reports_are_looked_into() -> None:
    kind = ClickReport | list[KeyRequest]
    assert choices_of(kind, "$[0].scopes[3]") == ("admin", "click", "rank")


def test_a_field_that_takes_any_text_has_no_choices() -> None:
    assert choices_of(PageRequest, "$.policy") == ()


def test_fields_are_those_of_the_object_at_the_place() -> None:
    assert fields_of(PageRequest, "$.holdout") == ("share", "order")
    assert fields_of(PageRequest, "$.items") == ()
