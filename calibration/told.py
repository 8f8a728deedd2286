"""What calibration found, as plain data for pages and scripts."""

from collections.abc import Mapping, Sequence
from typing import Any

from calibration.corners import TrayFound
from calibration.lamp import Finding
from calibration.teaching import Confusion, Lesson


def told_tray(found: TrayFound) -> dict[str, Any]:
    """Put what was found of a tray as data."""
    profile = found.profile
    return {
        "found": profile is not None,
        "corners": profile.corners if profile else None,
        "px_per_mm": profile.px_per_mm if profile else None,
        "how": found.how,
        "confidence": found.confidence,
        "text": found.text,
        "remedy": found.remedy,
    }


def told_lamp(findings: Sequence[Finding]) -> list[Mapping[str, str]]:
    """Put findings as data."""
    return [
        {"name": f.name, "health": f.health.value, "text": f.text, "remedy": f.remedy} for f in findings
    ]


def told_lesson(lesson: Lesson, steps: int) -> dict[str, Any]:
    """Put a lesson as data: what to do now, how far it is, and once all is shown what is mixed up."""
    dice = lesson.dice
    shown = {face: sum(len(e.vectors) for e in dice if e.face == face) for face in lesson.faces}
    return {
        "kind": lesson.kind,
        "faces": lesson.faces,
        "lamp": lesson.lamp,
        "face": lesson.face,
        "prompt": lesson.prompt,
        "done": steps - len(lesson.queue),
        "of": steps,
        "shown": shown,
        "table": told_confusion(lesson.confusion(), lesson.faces) if not lesson.face else None,
    }


def told_confusion(seen: Confusion, faces: Sequence[str]) -> dict[str, Any]:
    """Put a confusion table as data: a row for each face shown, a column for each it was read as."""
    other = sorted({read for _, read in seen.counts} - {*faces, ""})
    columns = [*faces, *other] + ([""] if any(not read for _, read in seen.counts) else [])
    rows = [[seen.counts.get((face, read), 0) for read in columns] for face in faces]
    return {
        "right": seen.right,
        "total": seen.total,
        "columns": columns,
        "rows": rows,
        "pairs": [{"faces": pair.faces, "text": pair.text, "lamp": pair.lamp} for pair in seen.pairs],
        "notes": list(seen.notes),
    }
