"""How an action is made of an event."""

from companion.rules.events import Event, Seconds
from companion.rules.notation import arguments, word_of
from companion.rules.view import Action, Input

AT = Seconds(0.0)
"""Drafts are never recorded: the table gives an event its own time."""


def draft(
    ident: str,
    text: str,
    event: Event,
    group: str,
    *,
    inputs: tuple[Input, ...] = (),
    refused: str = "",
    warning: str = "",
    cost: str = "",
    cell: str = "",
    lead: bool = False,
) -> Action:
    """An action that sends ``event``; its inputs replace the arguments of their names."""
    args = arguments(event)
    return Action(ident, text, word_of(event), args, inputs, cost, refused, warning, group, cell, lead)
