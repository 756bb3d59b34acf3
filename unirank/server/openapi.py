"""/openapi.json, from the endpoints and their structs."""

import re
from collections.abc import Sequence
from importlib.metadata import version
from typing import Any

import msgspec

from unirank.server.api import Problem
from unirank.server.endpoints import Endpoint

REFERENCE = "#/components/schemas/{name}"
SECURITY = {"key": {"type": "http", "scheme": "bearer", "description": "an API key"}}


def openapi(endpoints: Sequence[Endpoint]) -> dict[str, Any]:
    """The OpenAPI 3.1 document of these endpoints."""
    types = [each.body for each in endpoints] + [each.answer for each in endpoints]
    wanted = [*dict.fromkeys(t for t in types if t is not None), Problem]
    schemas, components = msgspec.json.schema_components(wanted, ref_template=REFERENCE)
    schema_of = dict(zip(wanted, schemas, strict=True))
    paths: dict[str, dict[str, Any]] = {}
    for each in endpoints:
        paths.setdefault(each.path, {})[each.method.lower()] = operation(each, schema_of)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "unirank serve",
            "version": version("unirank"),
            "description": "Pages that learn their order from clicks.",
        },
        "paths": paths,
        "components": {"schemas": components, "securitySchemes": SECURITY},
    }


def operation(each: Endpoint, schema_of: dict[Any, Any]) -> dict[str, Any]:
    """One operation of the document."""
    problem = {"application/problem+json": {"schema": schema_of[Problem]}}
    answer: dict[str, Any] = {"description": "Done."}
    if each.answer is not None:
        answer["content"] = {each.media_type: {"schema": schema_of[each.answer]}}
    elif each.status != 204:
        answer["content"] = {each.media_type: {}}
    found: dict[str, Any] = {
        "operationId": each.handler.__name__,
        "summary": each.summary,
        "parameters": parameters(each),
        "responses": {
            str(each.status): answer,
            "default": {"description": "A problem, in one sentence.", "content": problem},
        },
    }
    if each.scope:
        found["security"] = [{"key": [each.scope]}, *([] if each.key_needed else [{}])]
    if each.body is not None:
        content = {"application/json": {"schema": schema_of[each.body]}}
        found["requestBody"] = {"required": not each.optional_body, "content": content}
    return found


def parameters(each: Endpoint) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for name in re.findall(r"{(\w+)}", each.path):
        schema = {"type": "string", "minLength": 1, "maxLength": 200}
        found.append({"name": name, "in": "path", "required": True, "schema": schema})
    if each.query is not None:
        (_, components) = msgspec.json.schema_components([each.query])
        fields = components[each.query.__name__]
        for name, schema in fields["properties"].items():
            needed = name in fields.get("required", ())
            found.append({"name": name, "in": "query", "required": needed, "schema": schema})
    return found
