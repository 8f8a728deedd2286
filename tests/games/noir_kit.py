"""Noir for tests: states made by hand, and events given as text. Anna is the killer, Ben the inspector."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TypeVar

from companion.games.noir.grid import Grid
from companion.games.noir.pieces import ALL, NAMES, UNSEEN, bit, members
from companion.games.noir.rules import GAME
from companion.games.noir.state import KILLER, Phase, State
from companion.games.noir.steps import acting
from companion.rules import view
from companion.rules.events import BellRang, Event, Seat, Seconds
from companion.rules.game import Setup
from companion.rules.notation import event_from
from companion.rules.view import Action, View

ANNA, BEN = Seat("anna"), Seat("ben")
PHONES = {"secrets": "phones"}
CLASSIC = {"mode": "classic"}
P = TypeVar("P", bound=view.Panel)
BY_LETTER = {name[0].lower(): card for card, name in enumerate(NAMES)}
"""Suspects begin with different letters: a is Alyss, m Marion, n Niel and so on."""
ALPHABET = "abcde fghij klmno pqrst uvwyz"
"""The grid at first: Marion lies in the middle."""


def card(letter: str) -> int:
    return BY_LETTER[letter]


def name(letter: str) -> str:
    return NAMES[card(letter)]


def cards(letters: str) -> tuple[int, ...]:
    return tuple(card(letter) for letter in letters if letter != " ")


def some(letters: str) -> int:
    """The set of these suspects."""
    return sum(bit(one) for one in cards(letters))


def letters(some_cards: Iterable[int]) -> str:
    return "".join(NAMES[one][0].lower() for one in some_cards)


def grid(text: str) -> Grid:
    """``"abc def"`` is a grid of two rows."""
    rows = text.split()
    return Grid(cards(text), len(rows[0]))


def shown(before: State) -> str:
    """The grid as text, the deceased as capitals."""
    rows = []
    for n in range(before.grid.rows):
        row = before.grid.cards[n * before.grid.columns : (n + 1) * before.grid.columns]
        rows.append("".join(c if before.lives(one) else c.upper() for one in row for c in letters((one,))))
    return " ".join(rows)


def start(options: Mapping[str, str] | None = None, **more) -> State:
    """A game at its very beginning; Anna is the killer unless the options say else."""
    chosen = {"killer": "first", **(options or {})}
    deal = more.pop("deal", "a deal for tests")
    return GAME.setup(Setup((ANNA, BEN), chosen, deal=deal, names={ANNA: "Anna", BEN: "Ben"}, **more))


def state(
    lies: str = ALPHABET,
    *,
    killer: str = "m",
    inspector: str = "a",
    hand: str = "bcd",
    deck: str | None = None,
    dead: str = "",
    innocent: str = "",
    turn: int = KILLER,
    options: Mapping[str, str] | None = None,
    **more,
) -> State:
    """In the middle of a game, with identities on phones unless the options say else.

    Who is dead and not in ``lies`` was taken off the grid.
    """
    before = start({**PHONES, **(options or {})})
    phones = before.rules.phones
    identity = (card(killer), card(inspector)) if phones else (UNSEEN, UNSEEN)
    held = cards(hand) if phones else (UNSEEN,) * len(hand)
    out = {*cards(killer + inspector + hand + innocent)}
    pile = cards(deck) if deck is not None else tuple(c for c in range(len(NAMES)) if c not in out)
    before = replace(
        before,
        grid=grid(lies),
        phase=Phase.TURN,
        role=turn,
        turn=5,
        alive=ALL & ~some(dead),
        innocent=some(innocent),
        shown=cards(innocent),
        identity=identity,
        hand=held,
        deck=pile if phones else (UNSEEN,) * len(pile),
        chosen=True,
        could=(ALL & ~some(dead + innocent),) * 2,
    )
    return replace(before, **more)


def event(word: str, by: Seat | None = ANNA, at: float = 200.0, **args: str) -> Event:
    """An event from its word and text arguments, such as ``event("suspect_killed", name="Alyss")``."""
    return event_from(word, args, at=Seconds(at), by=by, events=GAME.events)


def do(before: State, word: str, by: Seat | None = None, at: float = 200.0, **args: str) -> State:
    """What happens; by the player who acts or answers unless the test says else."""
    who = by if by is not None or before.killer < 0 else before.seat_of(acting(before))
    return GAME.apply(before, event(word, who, at, **args))


def told(before: State, word: str, by: Seat | None, **args: str) -> str:
    """What the history says of it."""
    fact = event(word, by, **args)
    return GAME.told(before, fact, GAME.apply(before, fact))


def kill(before: State, letter: str) -> State:
    return do(before, "suspect_killed", name=name(letter))


def arrest(before: State, letter: str) -> State:
    return do(before, "suspect_arrested", name=name(letter))


def shift(before: State, line: str, way: str) -> State:
    return do(before, "line_shifted", line=line, way=way)


def exonerate(before: State, letter: str) -> State:
    """Draw, and lay this card of the four open."""
    return do(do(before, "evidence_drawn"), "suspect_exonerated", name=name(letter))


def answer(before: State, near: bool) -> State:
    return do(before, "area_canvassed", near="yes" if near else "no")


def bell(before: State, timer: str = "turn") -> State:
    running = GAME.expects(before).timer
    at = running.ends_at if running else Seconds(1.0)
    return GAME.apply(before, BellRang(at=at, timer=timer))


def could(before: State, role: int) -> str:
    """Who that role may be, as letters."""
    return letters(members(before.could[role]))


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


def actions(before: State, seat: Seat | None = ANNA) -> dict[str, Action]:
    return {action.id: action for action in seen(before, seat).actions}


def possible(before: State, seat: Seat | None = ANNA) -> set[str]:
    return {ident for ident, action in actions(before, seat).items() if not action.refused}


def targets(before: State, seat: Seat | None = ANNA) -> str:
    """Whom a phone offers to kill or arrest, as letters."""
    words = {"suspect_killed", "suspect_arrested"}
    return "".join(
        sorted(a.args["name"][0].lower() for a in actions(before, seat).values() if a.word in words)
    )


def words(before: State) -> set[str]:
    """The taps waited for."""
    return {tap.word for tap in GAME.expects(before).taps}
