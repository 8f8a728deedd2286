"""Inspector Moss as a game: what may happen when, and what it does."""

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Final

from companion.games.moss import catalogue, dice, ending, evidence, house, moves, options, tokens, told
from companion.games.moss import events as ev
from companion.games.moss.grid import CELLS, CENTRE, NEIGHBOURS
from companion.games.moss.state import SUSPECTS, Due, Piles, State
from companion.games.moss.steps import ALLOWED, awaited, demand, step
from companion.games.moss.tiles import Room, Tile
from companion.games.moss.view import seen_by
from companion.rules.chance import shuffled
from companion.rules.copies import replace
from companion.rules.events import DiceRolled, Event, Seat, Seconds
from companion.rules.game import Expected, Game, Option, Outcome, OutOfPlace, Setup, Tap
from companion.rules.notation import word_of
from companion.rules.view import View

_DO: Final[dict[type[Event], Callable[[State, Any], State]]] = {
    DiceRolled: dice.thrown,
    ev.SceneLaid: house.scene_laid,
    ev.SuspectNamed: house.suspect_named,
    ev.TileRevealed: house.revealed,
    ev.TileLaid: house.laid,
    ev.CarPlaced: house.car_placed,
    ev.DiceHeld: dice.held,
    ev.RollingStopped: dice.stopped,
    ev.Moved: moves.moved,
    ev.PassageTaken: moves.passed,
    ev.CarReached: moves.reached_car,
    ev.TokenCollected: tokens.collected,
    ev.TokenDropped: tokens.dropped,
    ev.EvidenceGathered: evidence.gathered,
    ev.ArrowPointed: evidence.pointed,
    ev.AlibiGiven: evidence.alibied,
    ev.EvidenceTainted: evidence.tainted,
    ev.EvidenceReexamined: evidence.reexamined,
    ev.UnplacedTurnedDown: evidence.turned_down,
    ev.SuspectArrested: moves.arrested,
    ev.LuckyBreakUsed: dice.lucky_break,
    ev.InformantUsed: tokens.informed,
    ev.PassagewayPlaced: tokens.passageway_placed,
    ev.EvidenceSwitched: tokens.switched,
    ev.BombPlaced: tokens.bombed,
    ev.TimePassed: moves.passed_time,
    ev.TimeSkipped: moves.skipped_time,
    ev.NoteWritten: tokens.noted,
}

_CHANGES: Final = frozenset(
    {
        ev.TileRevealed,
        ev.TileLaid,
        ev.ArrowPointed,
        ev.AlibiGiven,
        ev.EvidenceTainted,
        ev.EvidenceReexamined,
        ev.EvidenceSwitched,
        ev.UnplacedTurnedDown,
    }
)
"""After these, who is eliminated may be another (M27), and it may be everybody (M36)."""

_TAPS: Final = {kind: Tap(word_of(kind)) for kind in ev.EVENTS}


class Moss(Game[State]):
    """Inspector Moss: House Arrest."""

    slug: ClassVar[str] = "moss"
    title: ClassVar[str] = "Inspector Moss: House Arrest"
    tagline: ClassVar[str] = "Ten suspects, one murderer, and the minutes run"
    seats: ClassVar[tuple[int, int]] = (1, 6)
    events: ClassVar[tuple[type[Event], ...]] = ev.EVENTS
    options: ClassVar[tuple[Option, ...]] = options.OPTIONS

    def setup(self, setup: Setup) -> State:
        """The house before the first tile is turned up (M2 to M8)."""
        fewest, most = self.seats
        if not fewest <= len(setup.seats) <= most:
            raise ValueError(f"Inspector Moss is played by {fewest} to {most}, not {len(setup.seats)}")
        values = options.chosen(setup)
        rules = options.rules_of(values)
        start = options.start_minutes(values["level"], setup.carried)
        state = State(
            rules=rules,
            seats=setup.seats,
            start=start,
            minutes=start,
            piles=_dealt(setup.deal) if rules.dealt else Piles(),
            names=catalogue.SUSPECTS if rules.dealt else _names(setup.carried),
            remembered=_tiles(setup.carried),
            earlier=setup.carried,
        )
        if not rules.dealt:
            return state
        rooms = tuple(Room.laid(catalogue.SCENE_TILE, 0) if cell == CENTRE else None for cell in CELLS)
        around = tuple(cell for cell in NEIGHBOURS[CENTRE] if cell is not None)
        return replace(state, rooms=rooms, due=Due(reveal=around))

    def expects(self, state: State) -> Expected:
        """The taps that the step allows, any seat's, and the dice while they are thrown."""
        kinds = awaited(state)
        taps = tuple(tap for kind, tap in _TAPS.items() if kind in kinds)
        return Expected(taps, dice.expected(state.turn) if DiceRolled in kinds else None)

    def apply(self, state: State, event: Event) -> State:
        """The state after ``event``. Raises OutOfPlace with the reason."""
        kind = type(event)
        if kind not in ALLOWED[step(state), state.rules.dealt]:
            raise OutOfPlace(told.refusal(kind, demand(state)))
        after = _DO[kind](state, event)
        return ending.settled(state, after) if kind in _CHANGES else after

    def outcome(self, state: State) -> Outcome | None:
        """Won at the Police Car; lost to time, or with nobody left."""
        return ending.outcome(state)

    def view(self, state: State, seat: Seat | None, at: Seconds) -> View:  # noqa: ARG002 - no timer runs
        """The screen of ``seat``, or the one that everybody may see."""
        return seen_by(self.title, self.apply, state, seat)

    def keeps(self, state: State) -> Mapping[str, str]:
        """The next start, and what the table told of its own box."""
        return ending.keeps(state)

    def secrets(self, event: Event) -> bool:
        """Private notes are nobody else's."""
        return isinstance(event, ev.NoteWritten)

    def told(self, before: State, event: Event, after: State) -> str:
        """One line for the history."""
        return told.line(before, event, after)


def _dealt(deal: str) -> Piles:
    rooms = shuffled(deal, "tiles", catalogue.ROOM_TILES)
    middle = int(CENTRE)
    return Piles(
        tiles=(*rooms[:middle], None, *rooms[middle:]),
        suspects=shuffled(deal, "suspects", catalogue.SUSPECTS),
        evidence=shuffled(deal, "evidence", catalogue.EVIDENCE),
        assistance=shuffled(deal, "assistance", catalogue.ASSISTANCE),
    )


def _names(carried: Mapping[str, str]) -> tuple[str, ...]:
    if "suspects" not in carried:
        return tuple(f"Suspect {n}" for n in range(1, SUSPECTS + 1))
    names = tuple(carried["suspects"].split(";"))
    if len(set(names)) != SUSPECTS or not all(names):
        raise ValueError(
            f"There are {SUSPECTS} suspects with names of their own, not {carried['suspects']!r}"
        )
    return names


def _tiles(carried: Mapping[str, str]) -> tuple[Tile, ...]:
    return tuple(Tile.parse(text) for text in carried.get("tiles", "").split(";") if text)


GAME: Final = Moss()
