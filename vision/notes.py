"""What a watcher knows as JSON, and back again to the last bit."""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

import numpy as np

from companion.rules.events import DiceExpected, DiceRolled, DieFace, Notice, Observation
from vision.dice import Die
from vision.follow import Memory, Watching
from vision.settle import Grey, Settle
from vision.throws import Lie
from vision.tray import TrayProfile

Row = dict[str, Any]


def die_row(die: Die) -> Row:
    """Write a die; its outline as numbers that read back as they are."""
    row = {f.name: getattr(die, f.name) for f in fields(die)}
    return row | {"outline": die.outline.tolist(), "alternatives": list(die.alternatives)}


def die_of(row: Mapping[str, Any]) -> Die:
    """Read a die. What a later version has added to dice is left out."""
    known = {name: row[name] for name in (f.name for f in fields(Die)) if name in row}
    known["outline"] = np.array(row["outline"], np.float32).reshape(-1, 2)
    return Die(**known | {"alternatives": tuple(row["alternatives"])})


def expected_row(expected: DiceExpected | None) -> Row | None:
    """Write what is waited for."""
    if expected is None:
        return None
    return {
        "kinds": [list(kind) for kind in expected.kinds],
        "held": [str(die) for die in expected.held],
        "faces": list(expected.faces),
        "partial": expected.partial,
    }


def expected_of(row: Mapping[str, Any] | None) -> DiceExpected | None:
    """Read what was waited for."""
    if row is None:
        return None
    return DiceExpected(
        tuple((str(kind), int(n)) for kind, n in row["kinds"]),
        held=tuple(DieFace.parse(die) for die in row["held"]),
        faces=tuple(row["faces"]),
        partial=bool(row["partial"]),
    )


def claim_row(claim: Observation | Notice) -> Row:
    """Write what the table was told, without its picture."""
    if isinstance(claim, Notice):
        return {"notice": claim.source, "state": claim.state, "text": claim.text, "level": claim.level}
    assert isinstance(claim.event, DiceRolled), "a watcher tells of rolls and of nothing else"
    return {
        "roll": claim.event.roll,
        "at": claim.event.at,
        "dice": [str(die) for die in claim.event.dice],
        "sure": claim.sure,
        "confidence": claim.confidence,
        "reason": claim.reason,
    }


_NUMBERS = ("_moved", "_movements", "_moving", "_counted", "_covered", "_jumping")


def memory_row(memory: Memory) -> tuple[Row, dict[str, Grey]]:
    """Write what was remembered: a row, and its pictures by name."""
    settle = memory.settle
    row = {
        "settle": {name: getattr(settle, name) for name in _NUMBERS},
        "corners": memory.profile.corners,
        "px_per_mm": memory.profile.px_per_mm,
        "lie": [die_row(die) for die in memory.lie.dice],
        "lie_sure": memory.lie.sure,
        **{name: getattr(memory, name) for name in _PLAIN},
        "since": None if np.isnan(memory.since) else memory.since,
    }
    pictures = {"anchor": settle._anchor, "clear": settle._clear, "reference": memory.reference}  # noqa: SLF001
    return row, {name: picture for name, picture in pictures.items() if picture is not None}


_PLAIN = ("looked", "consumed", "placed", "away", "watching")


def memory_of(row: Mapping[str, Any], pictures: Mapping[str, Grey]) -> Memory:
    """Read what was remembered."""
    settle = Settle(_anchor=pictures.get("anchor"), _clear=pictures.get("clear"), **row["settle"])
    return Memory(
        settle=settle,
        reference=pictures.get("reference"),
        profile=TrayProfile(tuple((float(x), float(y)) for x, y in row["corners"]), row["px_per_mm"]),
        lie=Lie(tuple(die_of(die) for die in row["lie"]), sure=bool(row["lie_sure"])),
        looked=int(row["looked"]),
        consumed=int(row["consumed"]),
        placed=bool(row["placed"]),
        since=float("nan") if row["since"] is None else float(row["since"]),
        away=bool(row["away"]),
        watching=Watching(row["watching"]),
    )
