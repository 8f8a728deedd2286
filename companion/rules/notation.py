"""Events as readable text and back: one line a fact.

    12.5 anna moved to=c4 dice=w1,w3

A word is the class name in lower case with underscores; arguments stand in the order of the
fields. Field types are str, int, float, bool, a type with ``parse`` and ``__str__``, any of these
or None, and tuples of one of these.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import fields
from types import UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from companion.rules.events import BellRang, CubeDropped, CubesSeen, DiceRolled, Event, Seat, Seconds

KERNEL_EVENTS: tuple[type[Event], ...] = (DiceRolled, CubeDropped, CubesSeen, BellRang)
TABLE = "table"
"""Stands in a line where no seat does: the sensors and the table itself."""

_LONGEST_S = 1e9
"""Thirty years of play."""

_PLAIN = re.compile(r"[^\s\",=]+")
_ITEM = re.compile(r'"(?:[^"\\]|\\.)*"|[^",\s]+')
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"')
_KEEPABLE = re.compile("[^\x00\ud800-\udfff]*")
_PAIR = re.compile(r'(?<!\w)(\w++)=((?:"(?:[^"\\]|\\.)*"|[^"\s])*)')


def word_of(kind: type[Event] | Event) -> str:
    """The word of an event type.

    >>> word_of(DiceRolled)
    'dice_rolled'
    """
    name = kind.__name__ if isinstance(kind, type) else type(kind).__name__
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


def write(event: Event) -> str:
    """One line of text for ``event``; ``read`` gives the event back.

    >>> from companion.rules.events import DieFace
    >>> write(DiceRolled(at=Seconds(3.25), roll="r1", dice=(DieFace("white", "4"),)))
    '3.25 table dice_rolled roll=r1 dice=white:4'
    """
    args = " ".join(f"{name}={value}" for name, value in arguments(event).items())
    return f"{event.at!r} {event.by or TABLE} {word_of(event)} {args}".rstrip()


def arguments(event: Event) -> dict[str, str]:
    """The event's own fields as text, without ``at`` and ``by``; fields at None are left out."""
    pairs = ((name, getattr(event, name)) for name, _ in _own_fields(type(event)))
    return {name: _text(value) for name, value in pairs if value is not None}


def read(line: str, events: Iterable[type[Event]] = ()) -> Event:
    """The event in ``line``. Raises ValueError naming the line and what is wrong with it."""
    parts = line.split(maxsplit=3)
    if len(parts) < 3:
        raise ValueError(f"{line!r} is not an event: write seconds, seat, word and arguments")
    at, by, word = parts[:3]
    rest = parts[3] if len(parts) == 4 else ""
    matches = list(_PAIR.finditer(rest))
    if _PAIR.sub("", rest).strip():
        raise ValueError(f"{line!r}: {_PAIR.sub('', rest).strip()!r} is not name=value")
    args = {m[1]: m[2] for m in matches}
    return event_from(word, args, at=_seconds(at), by=None if by == TABLE else Seat(by), events=events)


def event_from(
    word: str,
    args: Mapping[str, str],
    *,
    at: Seconds,
    by: Seat | None,
    events: Iterable[type[Event]] = (),
) -> Event:
    """An event from its word and text arguments. Raises ValueError naming the word or argument."""
    kinds = {word_of(kind): kind for kind in (*KERNEL_EVENTS, *events)}
    if word not in kinds:
        raise ValueError(f"{word!r} is not an event of this game")
    kind = kinds[word]
    known = dict(_own_fields(kind))
    unknown = [name for name in args if name not in known]
    if unknown:
        raise ValueError(f"{word} has no {unknown[0]!r}; it takes {', '.join(known) or 'nothing'}")
    values: dict[str, Any] = {}
    for name, text in args.items():
        try:
            values[name] = _value(known[name], text)
        except (ValueError, TypeError) as fault:
            raise ValueError(f"{word}: {name}={text!r} cannot be read: {fault}") from None
    try:
        return kind(at=at, by=by, **values)
    except TypeError as fault:
        raise ValueError(f"{word} is not complete: {str(fault).split(') ')[-1]}") from None


def _seconds(text: str) -> Seconds:
    """Table time in text. Not every float is a time: no clock could be set to nan, or to 1e300."""
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0.0 <= seconds <= _LONGEST_S:
        raise ValueError(f"{text!r} is not a number of seconds")
    return Seconds(seconds)


_FIELDS: dict[type[Event], tuple[tuple[str, Any], ...]] = {}


def _own_fields(kind: type[Event]) -> tuple[tuple[str, Any], ...]:
    if kind not in _FIELDS:
        hints = get_type_hints(kind)
        _FIELDS[kind] = tuple((f.name, hints[f.name]) for f in fields(kind) if f.name not in {"at", "by"})
    return _FIELDS[kind]


def _text(value: Any) -> str:
    if isinstance(value, tuple):
        return ",".join(_text(item) for item in value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    text = repr(value) if isinstance(value, float) else str(value)
    return text if _PLAIN.fullmatch(text) else json.dumps(text, ensure_ascii=False)


def _value(hint: Any, text: str) -> Any:
    origin, inner = get_origin(hint), get_args(hint)
    if origin in {Union, UnionType}:
        return _value(next(a for a in inner if a is not type(None)), text)
    if origin is tuple:
        return tuple(_scalar(inner[0], item) for item in _items(text))
    return _scalar(hint, json.loads(text) if _QUOTED.fullmatch(text) else text)


def _items(text: str) -> Iterator[str]:
    left = _ITEM.sub("", text).strip(",")
    if left:
        raise ValueError(f"{left!r} is out of place")
    for match in _ITEM.finditer(text):
        yield json.loads(match[0]) if match[0].startswith('"') else match[0]


_SCALARS: dict[Any, Callable[[str], Any]] = {
    int: int,
    float: float,
    bool: lambda text: {"yes": True, "no": False}[text],
}


def _scalar(hint: Any, text: str) -> Any:
    if hint in _SCALARS:
        try:
            return _SCALARS[hint](text)
        except KeyError:
            raise ValueError("say yes or no") from None
    if not _KEEPABLE.fullmatch(text):
        raise ValueError("it holds a character that no database keeps")
    if hasattr(hint, "parse"):
        return hint.parse(text)
    return text  # str and the NewTypes of it
