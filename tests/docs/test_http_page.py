"""The page of the HTTP interface has every request and every struct of the OpenAPI document."""

import re

from http_page import http_page

from unirank.server.app import DOCUMENT

PAGE = http_page()


def test_every_request_is_there() -> None:
    for path, operations in DOCUMENT["paths"].items():
        for method, operation in operations.items():
            text = PAGE.partition(f"\n### {method.upper()} {path}\n")[2]
            assert text.startswith(f"\n{operation['summary']}. Key: ")


def test_every_field_of_a_struct_is_there() -> None:
    for name, schema in DOCUMENT["components"]["schemas"].items():
        rows = PAGE.partition(f"\n### {name}\n")[2].partition("\n### ")[0]
        assert re.findall(r"^\| `(\w+)` \|", rows, re.MULTILINE) == list(schema["properties"])


def test_a_struct_that_is_named_is_linked() -> None:
    linked = set(re.findall(r"\]\(#(\w+)\)", PAGE))
    assert len(linked) > 10
    assert linked <= {name.lower() for name in DOCUMENT["components"]["schemas"]}
