"""The reference page of the HTTP interface, from the service's OpenAPI document."""

import json
from typing import Any

from unirank.server.app import DOCUMENT

HTTP = """# The HTTP interface

`unirank serve` answers these requests; `/openapi.json` is the same for programs. Bodies and answers
are JSON. A key travels in the header `Authorization: Bearer unirank_...`; reports of clicks need
none. An error is a problem document (RFC 9457) with one sentence: 400 not JSON, 401 no key, 403
another scope, 404 no such page, 409 the page is another one, 413 too large, 422 a value breaks a
rule, 429 too many requests, 503 the database does not answer, or a page is being loaded (try again
after `Retry-After` seconds).

## Requests"""
FIELDS = "| field | type | default | |\n|---|---|---|---|\n"


def http_page() -> str:
    """Return every request to the service and every struct, from its OpenAPI document."""
    text = HTTP
    for path, operations in DOCUMENT["paths"].items():
        for method, operation in operations.items():
            text += f"\n\n### {method.upper()} {path}\n\n{request(operation)}"
    structs = DOCUMENT["components"]["schemas"].items()
    return f"{text}\n\n## What travels\n" + "".join(struct(name, each) for name, each in structs)


def request(operation: dict[str, Any]) -> str:
    """Return what a request needs and what it answers."""
    lines = [f"{operation['summary']}."]
    allowed = operation.get("security", [{}])
    scopes = [scope for needed in allowed for scope in needed.get("key", ())]
    needed = "none needed" if {} in allowed else f"`{scopes[0]}`"
    lines.append(f"Key: {needed}{f' (`{scopes[0]}`)' if {} in allowed and scopes else ''}.")
    for status, answer in operation["responses"].items():
        for media_type, content in answer.get("content", {}).items():
            if status != "default":
                shown = f" {kind(content['schema'])}" if content.get("schema") else ""
                lines.append(f"Answer: {status},{shown or f' `{media_type}`'}.")
    if body := operation.get("requestBody"):
        lines.insert(2, f"Body: {kind(body['content']['application/json']['schema'])}.")
    fields = [p for p in operation["parameters"] if p["in"] == "query"]
    rows = [field(each["name"], each["schema"], each["required"]) for each in fields]
    return " ".join(lines) + ("\n\n" + FIELDS + "\n".join(rows) if rows else "")


def struct(name: str, schema: dict[str, Any]) -> str:
    """Return the fields of a struct."""
    rows = [
        field(each, of, each in schema.get("required", ()))
        for each, of in schema.get("properties", {}).items()
    ]
    text = " ".join(schema.get("description", "").split())
    return f"\n### {name}\n\n{text}\n\n{FIELDS}" + "\n".join(rows) + "\n"


def field(name: str, schema: dict[str, Any], needed: bool) -> str:
    default = "needed" if needed else f"`{json.dumps(schema.get('default'))}`"
    return f"| `{name}` | {kind(schema)} | {default} | {schema.get('description', '')} |"


LIMITS = {
    "minimum": "at least {}",
    "exclusiveMinimum": "above {}",
    "maximum": "at most {}",
    "minLength": "at least {} letters",
    "maxLength": "at most {} letters",
    "minItems": "at least {}",
    "maxItems": "at most {}",
}


def kind(schema: dict[str, Any]) -> str:
    """Return a type as words, with its limits."""
    if "$ref" in schema:
        name = schema["$ref"].rsplit("/", 1)[-1]
        return f"[{name}](#{name.lower()})"
    if "anyOf" in schema:
        return " or ".join(map(kind, schema["anyOf"]))
    if "enum" in schema:
        return " or ".join(f"`{json.dumps(value)}`" for value in schema["enum"])
    limits = [text.format(schema[name]) for name, text in LIMITS.items() if name in schema]
    what = schema.get("type", "anything")
    if schema.get("items"):
        what = f"list of {kind(schema['items'])}"
    if isinstance(schema.get("additionalProperties"), dict):
        what = f"object of {kind(schema['additionalProperties']) or 'anything'}"
    return f"{what} ({', '.join(limits)})" if limits else what
