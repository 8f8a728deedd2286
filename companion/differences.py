"""What differs between two screens, in words: the preview of an amendment."""

from collections.abc import Iterator

from companion.rules.view import Dice, Panel, Roster, Tokens, Track, View


def differences(before: View, after: View) -> tuple[str, ...]:
    """One sentence for each thing that a player would see change. Empty if nothing would."""
    found = []
    if before.phase != after.phase:
        found.append(f"Phase: {before.phase} becomes {after.phase}.")
    there = {(panel.kind, panel.title): panel for panel in before.panels}
    for panel in after.panels:
        found += _panel(there.get((panel.kind, panel.title)), panel)
    if not found and before.headline != after.headline:
        found.append(after.headline)
    return tuple(found)


def _panel(before: Panel | None, after: Panel) -> Iterator[str]:
    match before, after:
        case Track() as old, Track() as new:
            if old.value != new.value:
                yield f"{new.title}: {old.value} becomes {new.value} {new.unit}."
            elif old.pending != new.pending:
                yield f"{new.title}: this turn's {old.pending} {new.unit} becomes {new.pending}."
        case Roster() as old, Roster() as new:
            yield from _entries(old, new)
        case Tokens() as old, Tokens() as new:
            yield from _entries(old, new)
        case Dice() as old, Dice() as new if old.dice != new.dice:
            yield f"{new.title}: {_faces(old)} becomes {_faces(new)}."
        case _:
            pass


def _entries(before: Roster | Tokens, after: Roster | Tokens) -> Iterator[str]:
    old = {entry.id: entry for entry in before.entries}
    for entry in after.entries:
        was = old.pop(entry.id, None)
        if was is None:
            yield f"{after.title}: {entry.name} comes in ({entry.state})."
        elif was.state != entry.state:
            yield f"{entry.name}: {was.state} becomes {entry.state}."
    for gone in old.values():
        yield f"{after.title}: {gone.name} goes out."


def _faces(panel: Dice) -> str:
    return " ".join(die.face + ("*" if die.state == "used" else "") for die in panel.dice)
