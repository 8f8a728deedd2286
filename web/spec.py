"""One declaration per route: who may ask, what is given, what comes back. OpenAPI is drawn from it."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import wraps
from types import MappingProxyType
from typing import Any

from flask import Blueprint, Response, request

from web.refusals import Refused

Answer = Response | str | tuple[Response | str, int]
Given = dict[str, Any]

GUEST, SEAT, HOST, PLAYER, NOBODY = "guest", "seat", "host", "player", "nobody"
"""Who may ask: anybody; a seat; the host; a seat or the host. ``nobody`` asks without a cookie."""

_JSON_BYTES = 64 * 1024
"""What a body may hold beside its texts, which say themselves how long they may be."""

_UNWRITABLE = re.compile(r"[\0\ud800-\udfff]")
"""Halves of characters have no UTF-8, and PostgreSQL keeps no zeros."""

_TYPES: Mapping[str, tuple[type, ...]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "array": (list,),
    "object": (dict,),
}


@dataclass(frozen=True, slots=True)
class Field:
    """One member of a JSON body. ``inner`` is the type of an array's items or an object's values."""

    name: str
    type: str
    about: str
    required: bool = True
    inner: str = "string"
    longest: int = 4000

    def schema(self) -> dict[str, Any]:
        """As JSON Schema."""
        schema: dict[str, Any] = {"type": self.type, "description": self.about}
        if self.type == "array":
            schema |= {"items": {"type": self.inner}, "maxItems": self.longest}
        elif self.type == "object":
            schema["additionalProperties"] = {"type": self.inner}
        elif self.type == "string":
            schema["maxLength"] = self.longest
        return schema

    def read(self, value: Any) -> Any:
        """The value, if it is one. Raises Refused naming the field."""
        if not _is(value, self.type):
            raise Refused(400, f"{self.name} must be a JSON {self.type}: {self.about}.")
        items: Any = value if self.type == "array" else value.values() if self.type == "object" else ()
        if any(not _is(item, self.inner) for item in items):
            raise Refused(400, f"{self.name} may hold nothing but JSON {self.inner}s: {self.about}.")
        if self.type in {"string", "array"} and len(value) > self.longest:
            raise Refused(400, f"{self.name} is too long: {self.longest} at most.")
        if any(_UNWRITABLE.search(text) for text in _texts(value) if isinstance(text, str)):
            raise Refused(400, f"{self.name} holds a character that cannot be written down. Type it anew.")
        return value


@dataclass(frozen=True, slots=True)
class Operation:
    """A route as the document tells it."""

    summary: str
    about: str
    needs: str
    tag: str
    body: tuple[Field, ...] = ()
    query: tuple[Field, ...] = ()
    raw: str = ""
    """Media type of a body that is not JSON."""
    media: str = "application/json"
    answers: Mapping[int, str] = field(default_factory=lambda: MappingProxyType({}))


Admit = Callable[[Operation], None]
OPERATIONS: dict[str, Operation] = {}
"""By Flask's endpoint name."""


def route(
    blueprint: Blueprint,
    method: str,
    rule: str,
    *,
    needs: str = GUEST,
    body: tuple[Field, ...] = (),
    query: tuple[Field, ...] = (),
    raw: str = "",
    media: str = "application/json",
    answers: Mapping[int, str] | None = None,
) -> Callable[[Callable[..., Answer]], Callable[..., Answer]]:
    """Add the function as a view. Its docstring is the document; a JSON body comes in as ``given``."""

    def wrap(function: Callable[..., Answer]) -> Callable[..., Answer]:
        summary, _, about = (function.__doc__ or "").strip().partition("\n")
        operation = Operation(
            summary, " ".join(about.split()), needs, blueprint.name, body, query, raw, media, answers or {}
        )
        OPERATIONS[f"{blueprint.name}.{function.__name__}"] = operation

        @wraps(function)
        def view(**kwargs: Any) -> Answer:
            if body:
                kwargs["given"] = read_body(body)
            return function(**kwargs)

        blueprint.add_url_rule(rule, function.__name__, view, methods=[method])
        return function

    return wrap


def read_body(fields: tuple[Field, ...]) -> Given:
    """The request's JSON object with exactly these fields. Raises Refused naming what is wrong."""
    most = _JSON_BYTES + 4 * sum(f.longest for f in fields if f.type == "string")
    if (request.content_length or 0) > most:
        raise Refused(413, f"This is too long: {most // 1024} kB at most.")
    data = _json()
    known = {f.name for f in fields}
    unknown = [name for name in data if name not in known]
    if unknown:
        raise Refused(400, f"{unknown[0]!r} is not known here; send {', '.join(sorted(known))}.")
    missing = [f.name for f in fields if f.required and f.name not in data]
    if missing:
        raise Refused(400, f"{missing[0]} is missing.")
    return {f.name: f.read(data[f.name]) for f in fields if f.name in data}


def _json() -> dict[str, Any]:
    """The request's JSON object. Raises Refused if it is none."""
    try:
        data = request.get_json(silent=True)
    except RecursionError:  # brackets in brackets in brackets
        data = None
    if not isinstance(data, dict):
        raise Refused(400, "Send a JSON object, with Content-Type: application/json.")
    return data


def _texts(value: Any) -> Iterable[Any]:
    """A text itself, an array's items, an object's names and values; nothing of a number."""
    match value:
        case str():
            return (value,)
        case dict():
            return (*value, *value.values())
        case list():
            return value
    return ()


def _is(value: Any, kind: str) -> bool:
    if isinstance(value, bool) and kind != "boolean":
        return False
    return isinstance(value, _TYPES[kind])
