"""The OpenAPI document, drawn from the app's own routes and their declarations."""

import re
from collections.abc import Iterable
from typing import Any

from flask import Flask
from werkzeug.routing import Rule

from web.spec import GUEST, HOST, NOBODY, OPERATIONS, PLAYER, SEAT, Operation

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
            path = re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule)
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
        str(code): {"description": text, "content": {operation.media: {}}}
        for code, text in sorted(answers.items())
        if code < 300
    }
    responses |= {
        str(code): {"description": text} for code, text in sorted(answers.items()) if 300 <= code < 400
    }
    responses["default"] = {
        "description": "Refused, with a sentence.",
        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}},
    }
    drawn: dict[str, Any] = {
        "operationId": rule.endpoint.replace(".", "_"),
        "summary": operation.summary,
        "description": f"{operation.about} {_WHO[operation.needs]}".strip(),
        "tags": [operation.tag],
        "responses": responses,
    }
    if rule.arguments:
        drawn["parameters"] = list(_parameters(rule.arguments))
    if operation.needs in {SEAT, HOST, PLAYER}:
        drawn["security"] = [{"session": []}]
    if operation.body or operation.raw:
        drawn["requestBody"] = {"required": True, "content": _content(operation)}
    return drawn


def _parameters(names: Iterable[str]) -> Iterable[dict[str, Any]]:
    for name in sorted(names):
        yield {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}


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
