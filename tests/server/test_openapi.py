"""The document says what the endpoints are."""

from typing import Any

from unirank.server.app import DOCUMENT, ENDPOINTS


def references(value: Any) -> set[str]:
    if isinstance(value, dict):
        here = {value["$ref"]} if "$ref" in value else set()
        return here.union(*(references(each) for each in value.values()))
    if isinstance(value, list):
        return set().union(*(references(each) for each in value))
    return set()


def test_every_endpoint_is_in_the_document() -> None:
    found = {(path, method) for path, each in DOCUMENT["paths"].items() for method in each}
    assert found == {(each.path, each.method.lower()) for each in ENDPOINTS}


def test_every_reference_leads_somewhere() -> None:
    there = {f"#/components/schemas/{name}" for name in DOCUMENT["components"]["schemas"]}
    assert references(DOCUMENT) == there


def test_defaults_and_limits_of_a_page_are_in_its_schema() -> None:
    page = DOCUMENT["components"]["schemas"]["PageSettings"]
    assert page["properties"]["window_s"]["default"] == 600.0
    assert page["required"] == ["items", "n_positions"]


def test_queries_are_parameters() -> None:
    operation = DOCUMENT["paths"]["/v1/pages/{page}/series"]["get"]
    names = [(each["name"], each["in"]) for each in operation["parameters"]]
    assert names == [("page", "path"), ("from", "query"), ("to", "query"), ("step", "query")]
    assert operation["security"] == [{"key": ["admin"]}]
