"""A view as plain text, for the command line and for transcripts."""

from collections.abc import Iterator

from companion.rules.view import Board, Cell, Dice, Panel, Roster, Text, Tokens, Track, View


def lines(view: View) -> Iterator[str]:
    """The view, line by line: headline, panels, actions."""
    yield f"{view.title}, {view.phase}: {view.headline}"
    for panel in view.panels:
        yield ""
        yield from _panel(panel)
    if view.actions:
        yield ""
        yield "Possible:"
    for action in view.actions:
        if not action.refused:
            yield f"  {action.label}{f' ({action.cost})' if action.cost else ''}"


def _panel(panel: Panel) -> Iterator[str]:
    match panel:
        case Track():
            pending = f", {panel.pending} to pay this turn" if panel.pending else ""
            yield f"{panel.title}: {panel.value} of {panel.maximum} {panel.unit}{pending}"
        case Dice():
            yield f"{panel.title}: " + " ".join(f"{die.id}={die.face}({die.state})" for die in panel.dice)
        case Board():
            yield f"{panel.title}:"
            for start in range(0, len(panel.cells), panel.columns):
                yield "  " + " | ".join(_cell(cell) for cell in panel.cells[start : start + panel.columns])
        case Roster() | Tokens():
            yield f"{panel.title}:"
            for entry in panel.entries:
                why = f" because {'; '.join(entry.why)}" if entry.why else ""
                where = f" at {entry.where}" if entry.where else ""
                yield f"  {entry.name}: {entry.state}{where}{why}"
        case Text():
            yield f"{panel.title}: " if panel.title else ""
            yield from (f"  {line}" for line in panel.lines)


def _cell(cell: Cell) -> str:
    if cell.face_down:
        return f"{cell.ref:2} {'?':16}"
    marks = ",".join(mark.label for mark in cell.marks)
    return f"{cell.ref:2} {cell.number or '-'} {cell.sides} {marks or cell.label:.16}"
