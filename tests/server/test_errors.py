"""Each reason not to do a request has an answer of its own."""

import pytest

from unirank.errors import UnirankError
from unirank.server.errors import Conflict, NotFound, NotLoaded
from unirank.server.problems import answer_to


@pytest.mark.parametrize(("kind", "status"), [(NotFound, 404), (Conflict, 409), (NotLoaded, 503)])
def test_a_reason_has_its_status_and_keeps_its_sentence(
    kind: type[UnirankError], status: int
) -> None:
    answer = answer_to(kind("page 'p' is elsewhere"))
    assert answer.status_code == status
    assert b"page 'p' is elsewhere" in bytes(answer.body)
