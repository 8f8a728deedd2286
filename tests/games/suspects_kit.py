"""Unusual Suspects for tests: states made by hand, and events given as text.

Anna deals, Ben begins, then Cleo and Dan.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import TypeVar

from companion.games.suspects.pieces import COLOURS, DECK, UNSEEN
from companion.games.suspects.rules import GAME
from companion.games.suspects.state import Phase, State
from companion.rules import view
from companion.rules.events import BellRang, DiceRolled, DieFace, Event, Seat, Seconds
from companion.rules.game import Setup
from companion.rules.notation import event_from
from companion.rules.view import Action, View

NAMES = ("anna", "ben", "cleo", "dan")
ANNA, BEN, CLEO, DAN = (Seat(name) for name in NAMES)
PHONES = {"secrets": "phones"}
EXAMPLE = "green green red yellow yellow yellow"
"""The crime scene of the rulebook's example."""
P = TypeVar("P", bound=view.Panel)
LETTERS = {"g": "green", "r": "red", "y": "yellow", "b": "blue", "n": "brown", "p": "purple"}


def start(players: int = 3, options: Mapping[str, str] | None = None, **more) -> State:
    """A game at its very beginning; Anna deals unless the options say else."""
    chosen = {"dealer": "first", **(options or {})}
    deal = more.pop("deal", "a deal for tests")
    return GAME.setup(Setup(tuple(Seat(n) for n in NAMES[:players]), chosen, deal=deal, **more))


def colours(text: str) -> tuple[str, ...]:
    """``"g g r"`` or ``"green green red"`` as colours."""
    return tuple(LETTERS.get(word, word) for word in text.split())


def state(
    locker: str = EXAMPLE,
    *,
    players: int = 3,
    files: Mapping[str, str] | None = None,
    identities: Mapping[str, str] | None = None,
    top: str = "blue",
    active: str = "ben",
    options: Mapping[str, str] | None = None,
    **more,
) -> State:
    """Ben's first turn. ``files`` and ``identities`` are put into the hands of a game on phones."""
    chosen = {**PHONES, **(options or {})}
    before = start(players, chosen)
    if before.phase is Phase.FLIP:
        before = do(before, "first_card_turned", colour=LETTERS.get(top, top))
    before = do(roll(before, locker), "locker_compared")
    seats = list(before.seats)
    held = dict(zip(seats, before.file, strict=True))
    held.update({seat: colours(cards) for seat, cards in (files or {}).items()})
    secret = dict(zip(seats, before.identity, strict=True))
    secret.update({seat: LETTERS.get(one, one) for seat, one in (identities or {}).items()})
    before = replace(
        before,
        file=tuple(held[seat] for seat in seats),
        identity=tuple(secret[seat] for seat in seats),
        active=seats.index(Seat(active)),
    )
    if before.rules.phones:
        before = replace(before, discard=(LETTERS.get(top, top),))
        before = replace(before, pile=rest(before))
    return replace(before, **more)


def rest(before: State) -> tuple[str, ...]:
    """The cards of the deck that lie in nobody's hand and not open."""
    left = Counter(DECK)
    left.subtract(card for cards in (*before.file, before.identity, before.discard) for card in cards)
    short = sum(-n for n in left.values() if n < 0)  # a test may give out more of a colour than there are
    cards = [colour for colour in COLOURS for _ in range(max(0, left[colour]))]
    return tuple(cards[: len(cards) - short])


def event(word: str, by: Seat | None = ANNA, at: float = 200.0, **args: str) -> Event:
    """An event from its word and text arguments, such as ``event("die_taken", die="3")``."""
    return event_from(word, args, at=Seconds(at), by=by, events=GAME.events)


def do(before: State, word: str, by: Seat | None = ANNA, at: float = 200.0, **args: str) -> State:
    return GAME.apply(before, event(word, by, at, **args))


def roll(before: State, faces: str, name: str = "", at: float = 200.0) -> State:
    """Dice come to rest: all six, or the one in the air."""
    dice = tuple(DieFace("fingerprint", face) for face in colours(faces))
    rolls = name or f"roll-{len(before.rolls)}"
    return GAME.apply(before, DiceRolled(at=Seconds(at), roll=rolls, dice=dice))


def tamper(before: State, die: int, face: str, by: Seat = BEN, **more) -> State:
    return roll(do(before, "die_taken", by, die=str(die)), face, **more)


def exchange(before: State, source: str, colour: str, by: Seat = BEN) -> State:
    """A whole turn with a card; on phones the colour is put into the hand if it is not there."""
    drawn = do(before, "card_drawn", by, source=source)
    colour = LETTERS.get(colour, colour)
    if drawn.rules.phones and colour not in drawn.file[drawn.active]:
        hand = (colour, *drawn.file[drawn.active][1:])
        file = (*drawn.file[: drawn.active], hand, *drawn.file[drawn.active + 1 :])
        drawn = replace(drawn, file=file)
    return do(drawn, "card_discarded", by, colour=colour)


def bell(before: State, name: str = "call") -> State:
    timer = GAME.expects(before).timer
    assert timer is not None
    return GAME.apply(before, BellRang(at=timer.ends_at, timer=name))


def solve(before: State, by: Seat, *, match: bool = True) -> State:
    """A declaration up to its verdict; on cards somebody else compares."""
    after = bell(do(before, "case_declared", by))
    if after.phase is Phase.SHOWN:
        other = next(seat for seat in after.seats if seat != by)
        after = do(after, "cards_compared", other, match="yes" if match else "no")
    return after


def solvable(**more) -> State:
    """On phones: Anna's file is the locker of the example, and her identity is blue."""
    return state(files={"anna": EXAMPLE}, identities={"anna": "blue"}, **more)


def cards_in_play(before: State) -> int:
    """How many cards there are at all: 54 once a case is dealt."""
    return (
        len(before.identity)
        + sum(len(file) for file in before.file)
        + len(before.pile)
        + len(before.discard)
    )


def hidden(before: State) -> list[str]:
    """The colours of cards that lie face down, as far as the companion knows them."""
    cards = (*before.identity, *(card for file in before.file for card in file), *before.pile)
    return [card for card in cards if card != UNSEEN]


def seen(before: State, seat: Seat | None = ANNA) -> View:
    return GAME.view(before, seat, Seconds(300.0))


def panel(before: State, kind: type[P], seat: Seat | None = ANNA) -> P:
    """The one panel of this kind."""
    (found,) = (p for p in seen(before, seat).panels if isinstance(p, kind))
    return found


def text(before: State, title: str, seat: Seat | None = ANNA) -> list[str]:
    """The lines of the text panel with this title; none if it is not there."""
    panels = (p for p in seen(before, seat).panels if isinstance(p, view.Text) and p.title == title)
    return [line for p in panels for line in p.lines]


def lines(before: State, seat: Seat | None = ANNA) -> list[str]:
    """All sentences of the text panels."""
    return [line for p in seen(before, seat).panels if isinstance(p, view.Text) for line in p.lines]


def actions(before: State, seat: Seat | None = ANNA) -> dict[str, Action]:
    return {action.id: action for action in seen(before, seat).actions}


def possible(before: State, seat: Seat | None = ANNA) -> set[str]:
    return {ident for ident, action in actions(before, seat).items() if not action.refused}


def words(before: State) -> set[str]:
    """The taps waited for."""
    return {tap.word for tap in GAME.expects(before).taps}
