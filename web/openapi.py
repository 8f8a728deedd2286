"""The OpenAPI document, drawn from the app's own routes and their declarations."""

import re
from collections.abc import Iterable
from typing import Any

from flask import Flask
from werkzeug.routing import Rule

from web.spec import GUEST, HOST, NOBODY, OPERATIONS, PLAYER, SEAT, Operation

_PLACES = re.compile(r"<(\w+:)?(\w+)>")
_WHO = {
    GUEST: "Anybody.",
    NOBODY: "Anybody, without a cookie.",
    SEAT: "A seat at the table.",
    HOST: "The host, signed in with the PIN.",
    PLAYER: "A seat at the table, or the host.",
}


def document(app: Flask, version: str) -> dict[str, Any]:
    """OpenAPI 3.1 of every route of ``app``."""
    paths: dict[str, dict[str, Any]] = {}
    for rule in app.url_map.iter_rules():
        operation = OPERATIONS[rule.endpoint]
        for method in sorted((rule.methods or set()) - {"HEAD", "OPTIONS"}):
            path = _PLACES.sub(r"{\2}", rule.rule)
            paths.setdefault(path, {})[method.lower()] = _operation(rule, operation)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Table companion",
            "version": version,
            "description": "What phones and table screens say to the companion. Posts need the page's own"
            ' Origin or the header X-Companion. Errors are {"error": sentence}.',
        },
        "servers": [{"url": "/"}],
        "paths": dict(sorted(paths.items())),
        "components": {
            "securitySchemes": {"session": {"type": "apiKey", "in": "cookie", "name": "companion"}},
            "schemas": {"Error": _object({"error": {"type": "string"}}, ["error"])},
        },
    }


def _operation(rule: Rule, operation: Operation) -> dict[str, Any]:
    answers = {200: "As asked.", **operation.answers}
    responses: dict[str, Any] = {
        str(code): _answer(code, answers[code], operation) for code in sorted(answers)
    }
    responses["default"] = _answer(400, "Refused, with a sentence.", operation)
    drawn: dict[str, Any] = {
        "operationId": rule.endpoint.replace(".", "_"),
        "summary": operation.summary,
        "description": f"{operation.about} {_WHO[operation.needs]}".strip(),
        "tags": [operation.tag],
        "responses": responses,
    }
    if rule.arguments or operation.query:
        drawn["parameters"] = list(_parameters(rule, operation))
    if operation.needs in {SEAT, HOST, PLAYER}:
        drawn["security"] = [{"session": []}]
    if operation.body or operation.raw:
        drawn["requestBody"] = {"required": True, "content": _content(operation)}
    return drawn


def _answer(code: int, text: str, operation: Operation) -> dict[str, Any]:
    if code < 300:
        return {"description": text, "content": {operation.media: {}}}
    if code < 400:
        return {"description": text}
    schema = {"$ref": "#/components/schemas/Error"}
    return {"description": text, "content": {"application/json": {"schema": schema}}}


def _parameters(rule: Rule, operation: Operation) -> Iterable[dict[str, Any]]:
    for converter, name in _PLACES.findall(rule.rule):
        kind = "integer" if converter == "int:" else "string"
        yield {"name": name, "in": "path", "required": True, "schema": {"type": kind}}
    for field in operation.query:
        yield {"name": field.name, "in": "query", "required": field.required, "schema": field.schema()}


def _content(operation: Operation) -> dict[str, Any]:
    if operation.raw:
        return {operation.raw: {"schema": {"type": "string", "format": "binary"}}}
    schema = _object(
        {f.name: f.schema() for f in operation.body}, [f.name for f in operation.body if f.required]
    )
    return {"application/json": {"schema": schema}}


def _object(properties: dict[str, Any], required: list[str]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": False,
    }
