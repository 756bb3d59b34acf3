"""What /openapi.json promises is what the service does: requests made from the document itself."""

from collections.abc import Iterator

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.specs.openapi.checks import positive_data_acceptance

from tests.server.faults.fleet import Fleet, fleet
from unirank.server.app import DOCUMENT

schema = schemathesis.openapi.from_dict(DOCUMENT)


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Fleet]:
    folder = tmp_path_factory.mktemp("schema")
    with fleet(folder / "s.sqlite", folder) as started:
        yield started


@schema.parametrize()
@settings(max_examples=10, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
def test_every_answer_is_what_the_document_says(case: schemathesis.Case, service: Fleet) -> None:
    # That a token is genuine, or that an item is on the page, no schema can say: such requests are
    # refused though they fit it.
    case.call_and_validate(
        excluded_checks=[positive_data_acceptance],
        base_url=f"http://127.0.0.1:{service.ports[0]}",
        headers={"Authorization": f"Bearer {service.key}"},
    )
