"""Offers that the dice pay for, and the end of the turn."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from companion.games.moss import events as ev
from companion.games.moss import evidence, house, moves, tokens, words
from companion.games.moss.cost import turn_minutes
from companion.games.moss.desk import AT, Desk, draft, losing, payable, place, reveal_risk
from companion.games.moss.grid import CELLS, NEIGHBOURS
from companion.games.moss.offers_evidence import kind_asked, reexamining
from companion.games.moss.state import SUSPECTS
from companion.rules.events import Event
from companion.rules.game import OutOfPlace
from companion.rules.view import Action

GO, DO, TIME = "Go", "Do", "Time"

_BEST = ("car", "arrest", "gather")
"""What is hardly ever put off once the dice are there."""


def paid(desk: Desk) -> Iterator[Action]:
    """Everything that dice pay for here; the one that helps most is marked."""
    drafts = (_final, _gathering, _moving, _passing, _collecting)
    offered = [action for drafted in drafts for action in drafted(desk)]
    ready = [action for action in offered if not action.refused and not action.warning]
    best = next((action.id for action in ready if action.id in _BEST), "")
    yield from (replace(action, lead=True) if action.id == best else action for action in offered)


def stopping(_desk: Desk) -> Iterator[Action]:
    """No more throws."""
    yield draft("stop", "Stop rolling", ev.RollingStopped(at=AT), group=TIME)


def ending(desk: Desk) -> Iterator[Action]:
    """The minutes are paid; or not, with No Time to Lose."""
    state = desk.state
    event = ev.TimePassed(at=AT)
    cost = words.minutes(turn_minutes(state))
    yield draft("end", "End the turn", event, group=TIME, cost=cost, warning=losing(desk, event))
    if "no_time_to_lose" in state.carried:
        skip = ev.TimeSkipped(at=AT)
        yield draft("skip", "End the turn with No Time to Lose", skip, group=TIME, cost="no minutes")


def _moving(desk: Desk) -> Iterator[Action]:
    state = desk.state
    for to in NEIGHBOURS[state.moss]:
        if to is None:
            continue
        try:
            needs = moves.move_needs(state, to)
        except OutOfPlace:
            continue
        yield from payable(
            desk,
            f"move-{to}",
            f"Walk to {place(state, to)}",
            needs,
            partial(ev.Moved, at=AT, to=to),
            group=GO,
            warning=reveal_risk(state, house.to_reveal(state, to)),
            cell=to,
        )


def _passing(desk: Desk) -> Iterator[Action]:
    state = desk.state
    if state.passage_at(state.moss) is None:
        return
    for to in CELLS:
        if to == state.moss or state.passage_at(to) is None:
            continue
        free = "flashlight" in state.carried
        yield from payable(
            desk,
            f"passage-{to}",
            f"Take the passage to {place(state, to)}",
            moves.passage_need(state, to),
            partial(ev.PassageTaken, at=AT, to=to),
            group=GO,
            minutes_at_once=0 if free else moves.passage_minutes(state, to),
            warning=reveal_risk(state, house.to_reveal(state, to)),
            cell=to,
        )


def _gathering(desk: Desk) -> Iterator[Action]:
    state = desk.state
    clue = state.clue_at(state.moss)
    if clue is None:
        return
    if clue.shown:
        yield from reexamining(desk, clue)
        return
    kind = None if state.rules.dealt else "four"
    for action in payable(
        desk,
        "gather",
        "Gather the evidence here",
        evidence.gather_needs(state, again=False),
        partial(ev.EvidenceGathered, at=AT, kind=kind),
        group=DO,
        cell=state.moss,
    ):
        yield action if kind is None else kind_asked(action)


def _collecting(desk: Desk) -> Iterator[Action]:
    state = desk.state
    for kind in dict.fromkeys(state.tokens_at(state.moss)):
        yield from payable(
            desk,
            f"collect-{kind}",
            f"Collect {words.the(kind)}",
            (tokens.collect_need(kind),),
            partial(ev.TokenCollected, at=AT, token=kind),
            group=DO,
            cell=state.moss,
        )


def _final(desk: Desk) -> Iterator[Action]:
    """The arrest once nine are eliminated, the Police Car once somebody is arrested."""
    state = desk.state
    if state.arrested:
        event: Event = ev.CarReached(at=AT)
        try:
            needs = moves.car_needs(state)
        except OutOfPlace as why:
            yield draft("car", "Go out to the Police Car", event, group=GO, refused=str(why))
            return
        yield from payable(
            desk,
            "car",
            f"Go out to the Police Car with {state.arrested}",
            needs,
            partial(ev.CarReached, at=AT),
            group=GO,
            cell=state.moss,
        )
    elif len(evidence.out(state)) == SUSPECTS - 1:
        try:
            name = moves.arrestable(state)
        except OutOfPlace as why:
            event = ev.SuspectArrested(at=AT, dice=())
            yield draft("arrest", "Arrest the last suspect", event, group=DO, refused=str(why))
            return
        yield from payable(
            desk,
            "arrest",
            f"Arrest {name}",
            (moves.ARREST_NEED,),
            partial(ev.SuspectArrested, at=AT),
            group=DO,
            cell=state.moss,
        )
