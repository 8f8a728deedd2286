"""The ledger and the kept pictures as pages and the command line show them."""

from collections.abc import Callable, Mapping
from datetime import date
from typing import Any

from companion.clock import today
from companion.corrections import MOST, MOST_MB, Corrections
from companion.journal import Journal
from companion.ledger import Ledger, Tally, ledger
from companion.rules.events import DieFace

NAMES = {"camera": "Camera", "photo": "Photographs"}
_MIXED_SHOWN = 5


class Records:
    """The web's port to the ledger."""

    def __init__(
        self, journal: Journal, corrections: Corrections, *, day: Callable[[], date] = today
    ) -> None:
        self._journal = journal
        self._corrections = corrections
        self._day = day

    def told(self) -> Mapping[str, Any]:
        """Tallies by reader and by face, what was mixed up most, and the state of the pictures."""
        return {
            **told(ledger(self._journal), self._day()),
            "agreed": self._corrections.agreed,
            "pictures": self._corrections.count,
            "most": MOST,
            "most_mb": MOST_MB,
        }

    def agree(self, *, on: bool) -> None:
        """Keep pictures of misreads from now on, or no more."""
        self._corrections.agree(on=on)

    def forget(self) -> int:
        """Delete all pictures; returns how many there were."""
        return self._corrections.forget()


def told(seen: Ledger, day: date) -> dict[str, Any]:
    """Put a ledger as data: sentences for people, numbers beside them."""
    return {
        "readers": [
            {
                "reader": NAMES.get(reader, reader),
                "text": f"{tally.told(day)}.",
                "unasked": _unasked(seen.unasked.get(reader), tally, day),
                **_numbers(tally),
            }
            for reader, tally in seen.readers.items()
        ],
        "faces": [
            {"kind": die.kind, "face": die.face, "text": tally.told(day), **_numbers(tally)}
            for die, tally in seen.faces.items()
        ],
        "mixed": [
            f"{_named(lay)} was read as {_named(read, beside=lay)} {'once' if n == 1 else f'{n} times'}."
            for (lay, read), n in list(seen.mixed.items())[:_MIXED_SHOWN]
        ],
    }


def in_lines(book: Mapping[str, Any]) -> list[str]:
    """Lay it out for a terminal."""
    lines = [f"{row['reader']}: {row['text']} {row['unasked']}".rstrip() for row in book["readers"]]
    lines += [f"  {row['kind']} {row['face']}: {row['text']}" for row in book["faces"]]
    lines += book["mixed"]
    kept = f"{book['pictures']} pictures of misread dice are kept"
    agreed = "the host has agreed" if book["agreed"] else "no more are, for the host has not agreed"
    return [*(lines or ["No throw has been read yet."]), f"{kept}; {agreed}."]


def _numbers(tally: Tally) -> dict[str, Any]:
    wrong = tally.last_wrong.isoformat() if tally.last_wrong else None
    return {"right": tally.right, "total": tally.total, "last_wrong": wrong}


def _unasked(tally: Tally | None, of: Tally, day: date) -> str:
    if tally is None:
        return ""
    if tally == of:
        return "All of them counted without a question."
    return f"Of those that counted without a question: {tally.told(day)}."


def _named(die: DieFace, beside: DieFace | None = None) -> str:
    return die.face if beside and beside.kind == die.kind else f"{die.kind} {die.face}"
