"""Who sits at the table: names, colours, and the codes that give a place back."""

import secrets
import unicodedata
from collections.abc import Sequence
from dataclasses import replace

from companion.rules.events import Seat
from companion.rules.notation import TABLE
from companion.snapshot import SeatInfo

COLOURS = ("amber", "teal", "rose", "violet", "lime", "sky", "rust", "slate")
MAX_NAME = 24
MAX_SEATS = 24
_ALPHABET = "BCDFGHJKLMNPQRSTVWXZ23456789"
"""No vowels: codes spell no words. No 0, 1, I, O: they are read aloud across a table."""
_CODE_LENGTH = 6
_JOINERS = "\N{ZERO WIDTH JOINER}\N{ZERO WIDTH NON-JOINER}"
"""Families of emoji and Persian words are written with them."""


def seated(name: str, there: Sequence[SeatInfo]) -> SeatInfo:
    """A new place for ``name``. Raises ValueError for an empty, too long or taken name or a full table."""
    name = _plain(name)
    if not any(unicodedata.category(c)[0] in "LNSP" for c in name):
        raise ValueError("Say what you are called.")
    if len(name) > MAX_NAME:
        raise ValueError(f"{name[:MAX_NAME]}… is too long: at most {MAX_NAME} letters.")
    if any(seat.name.casefold() == name.casefold() for seat in there):
        raise ValueError(f"{name} is taken. If that is you, use your seat code; else add an initial.")
    if len(there) >= MAX_SEATS:
        raise ValueError(f"The table is full: {MAX_SEATS} seats. The host can remove one.")
    colour = COLOURS[len(there) % len(COLOURS)]
    return SeatInfo(_free_key(name, {seat.key for seat in there}), name, colour, _free_code(there))


def renewed(seat: SeatInfo, there: Sequence[SeatInfo]) -> SeatInfo:
    """The same place with a new code; phones that held it fall out."""
    return replace(seat, code=_free_code(there), generation=seat.generation + 1)


def normal_code(code: str) -> str:
    """A code as typed, without the spaces and dashes people add."""
    return "".join(c for c in code.upper() if c.isalnum())


def _plain(name: str) -> str:
    """``name`` without what nobody sees: controls, halves of pairs, turns of the writing's direction."""
    shown = (
        c for c in unicodedata.normalize("NFC", name) if c in _JOINERS or c.isprintable() or c.isspace()
    )
    return " ".join("".join(shown).split())


def _free_key(name: str, taken: set[Seat]) -> Seat:
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    base = "".join(c for c in plain if c.isalnum())[:MAX_NAME] or "player"
    candidates = (base if n == 1 else f"{base}{n}" for n in range(1, MAX_SEATS + 3))
    return next(Seat(c) for c in candidates if c not in taken and c != TABLE)


def _free_code(there: Sequence[SeatInfo]) -> str:
    taken = {seat.code for seat in there}
    while True:
        code = "".join(secrets.choice(_ALPHABET) for _ in range(_CODE_LENGTH))
        if code not in taken:
            return code
