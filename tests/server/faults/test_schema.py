"""What /openapi.json promises is what the service does: requests made from the document itself."""

from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis import Case, GenerationMode
from schemathesis.core.parameters import ParameterLocation
from schemathesis.specs.openapi.checks import negative_data_rejection, positive_data_acceptance

from tests.server.faults.fleet import Fleet, fleet
from unirank.server.app import DOCUMENT

schema = schemathesis.openapi.from_dict(DOCUMENT)
refused = schema.config.checks.negative_data_rejection.expected_statuses
assert refused is not None
refused.append("413")  # a wrong body may be too large as well


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Fleet]:
    folder = tmp_path_factory.mktemp("schema")
    with fleet(folder / "s.sqlite", folder) as started:
        yield started


def validate(case: Case[Any], service: Fleet) -> None:
    # That a token is genuine, or that an item is on the page, no schema can say: such requests are
    # refused though they fit it.
    excluded: list[Any] = [positive_data_acceptance]
    headers = case.meta and case.meta.components.get(ParameterLocation.HEADER)
    if headers and headers.mode is GenerationMode.NEGATIVE:
        excluded.append(negative_data_rejection)  # the key, which is sent all the same
    case.call_and_validate(
        excluded_checks=excluded,
        base_url=f"http://127.0.0.1:{service.ports[0]}",
        headers={"Authorization": f"Bearer {service.key}"},
    )


@schema.parametrize()
@settings(max_examples=10, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
def test_every_answer_is_what_the_document_says(case: Case[Any], service: Fleet) -> None:
    validate(case, service)


@pytest.mark.slow
@schema.parametrize()
@settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
def test_so_are_answers_to_many_more_requests(case: Case[Any], service: Fleet) -> None:
    validate(case, service)
