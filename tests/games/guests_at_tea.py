"""Guests of Tea Time Crime: whole evenings by people who want tokens, and know what lies where.

They keep the boards themselves, in code of their own, so that what the game says of boards, dice tiles
and tokens can be held against it.
"""

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from companion.games.teatime.events import Passed, TileActivated, TileDescribed
from companion.games.teatime.rules import GAME
from companion.games.teatime.state import Phase, State
from companion.rules.events import BellRang, DiceRolled, DieFace, Event, Seat, Seconds
from companion.rules.game import Setup
from companion.rules.notation import event_from

STEPS = {
    "N": (1, 0),
    "NE": (1, 1),
    "E": (0, 1),
    "SE": (-1, 1),
    "S": (-1, 0),
    "SW": (-1, -1),
    "W": (0, -1),
    "NW": (1, -1),
}
PEOPLE = {
    "ours": (
        *("detective:N.S", "detective:E.W", "detective:N.E", "detective:S.W", "detective:NE.SE.SW.NW"),
        *("thief:N.NE.E", "thief:E.SE.S", "thief:S.SW.W", "thief:N.W.NW"),
    ),
    "box": (
        *("detective:N.SE", "detective:E.W", "detective:NE.S", "detective:SW.W", "detective:NE.SE.SW.NW"),
        *("thief:N.NE.NW", "thief:NE.E.SE", "thief:SE.S.SW", "thief:N.S.W"),
    ),
}
"""The stand-in set, and a box as it might be."""

Place = tuple[int, int]


@dataclass
class Board:
    """What really lies on and beside one board: tiles as text by (row, column), and which lie open."""

    tiles: dict[Place, str]
    open: set[Place] = field(default_factory=set)
    right: Counter[str] = field(default_factory=Counter)
    discard: Counter[str] = field(default_factory=Counter)

    def tokens(self) -> set[Place]:
        """Where a token belongs, said anew."""
        return {at for at in self.open if self.tiles[at].startswith("detective") and all(self.beams(at))}

    def beams(self, at: Place) -> list[bool]:
        ways = self.tiles[at].partition(":")[2].split(".")
        return [self.shines(at[0] + STEPS[way][0], at[1] + STEPS[way][1], at) for way in ways]

    def shines(self, row: int, column: int, source: Place) -> bool:
        if not (1 <= row <= 5 and 1 <= column <= 5):
            return False
        tile = self.tiles.get((row, column))
        if tile is None:
            return True
        if (row, column) not in self.open or tile.startswith("detective"):
            return False
        sides = tile.partition(":")[2].split(".")
        back = (source[0] - row, source[1] - column)
        return tile == "master" or any(STEPS[side] == back for side in sides)

    def liking(self) -> float:
        """How good it looks: tokens first, then single beams."""
        found = [
            beams
            for at in self.open
            if self.tiles[at].startswith("detective") and (beams := self.beams(at))
        ]
        return sum(3.0 * all(beams) + sum(beams) / len(beams) for beams in found)


class Guests:
    """``care``: how many moves a player thinks of before one; ``keeps``: how often dice stay."""

    def __init__(self, seed: int, *, care: int = 12, keeps: float = 0.4) -> None:
        self.rng = random.Random(seed)
        self.care = care
        self.keeps = keeps
        self.now = 0.0
        self.throws = 0

    def play(self, setup: Setup, most: int = 20000) -> Iterator[tuple[State, Event]]:
        """States and events until the game is over."""
        state = GAME.setup(setup)
        people = PEOPLE[setup.options.get("set", "box")]
        self.boards = [self.laid(people) for _ in setup.seats]
        for _ in range(most):
            if GAME.outcome(state) is not None:
                return
            event = self.next(state, people)
            timer = GAME.expects(state).timer
            if timer is not None and timer.over(event.at) and not isinstance(event, TileDescribed):
                event = BellRang(at=timer.ends_at, timer=timer.name)
            if state.under and state.round == 1 and not state.throws:
                self.boards = [self.dealt(state, place) for place in range(len(state.seats))]
            yield state, event
            after = GAME.apply(state, event)
            self.follow(state, event, after)
            state = after

    def laid(self, people: tuple[str, ...]) -> Board:
        detectives, others = list(people[:5]), [*people[5:], "master", *(f"dice:{n}" for n in range(1, 6))]
        others += [f"dice:{n}" for n in range(1, 6) for _ in range(2)]
        self.rng.shuffle(detectives)
        self.rng.shuffle(others)
        places = [(row, column) for row in range(1, 6) for column in range(1, 6)]
        return Board({at: (detectives if at[0] == at[1] else others).pop() for at in places})

    def dealt(self, state: State, place: int) -> Board:
        """Where the companion deals, the guests look under the tiles; no real one can."""
        places = [(row, column) for row in range(1, 6) for column in range(1, 6)]
        return Board({at: str(tile) for at, tile in zip(places, state.under[place], strict=True)})

    def event(self, word: str, by: Seat | None, **args: object) -> Event:
        self.now = round(self.now + self.rng.choice((1.0, 4.0, 9.0, 40.0)), 3)
        texts = {name: str(value) for name, value in args.items()}
        return event_from(word, texts, at=Seconds(self.now), by=by, events=GAME.events)

    def next(self, state: State, people: tuple[str, ...]) -> Event:
        anybody = self.rng.choice(state.seats)
        match state.phase:
            case Phase.BOX:
                wanted = Counter(people) - Counter(map(str, state.box))
                kind, _, ways = self.rng.choice(sorted(wanted)).partition(":")
                return self.event("tile_described", anybody, kind=kind, ways=ways.replace(".", ","))
            case Phase.FIRST:
                return self.event("beginner_named", anybody, player=self.rng.choice(state.seats))
            case Phase.SCORE:
                silent = [p for p, mine in enumerate(state.players) if mine.points is None]
                place = self.rng.choice(silent)
                return self.event("points_counted", state.seats[place], points=self.rng.randint(20, 90))
        late = self.uncounted(state)
        if late is not None:
            return self.event("tokens_counted", state.seats[late], tokens=len(self.boards[late].tokens()))
        if state.phase is Phase.ROLL and (not state.throws or self.rng.random() < 0.5):
            return self.roll(state)
        place = state.active if state.phase is not Phase.OTHERS else self.rng.choice(state.waiting)
        return self.act(state, place)

    def uncounted(self, state: State) -> int | None:
        """Somebody whose tokens on the table are not those that the companion counts."""
        if state.rules.picture:
            return None
        counts = enumerate(zip(self.boards, state.players, strict=True))
        return next((p for p, (board, mine) in counts if len(board.tokens()) != mine.counted), None)

    def roll(self, state: State) -> Event:
        if state.throws and self.rng.random() < self.keeps:
            kept = [die for die in ("d1", "d2", "d3", "d4", "d5") if self.rng.random() < 0.5]
            if len(kept) < 5 and set(kept) != state.held:
                return self.event("dice_held", state.seats[state.active], dice=",".join(kept))
        waiting = GAME.expects(state).dice
        assert waiting is not None
        number = dict(waiting.thrown)["teatime"] or 5
        self.throws += 1
        self.now = round(self.now + 5.0, 3)
        dice = tuple(DieFace("teatime", self.rng.choice(waiting.faces)) for _ in range(number))
        return DiceRolled(at=Seconds(self.now), roll=f"t{self.throws}", dice=dice)

    def act(self, state: State, place: int) -> Event:
        """The best of a few tiles, or none: turned up, or moved where most beams light something."""
        board, seat = self.boards[place], state.seats[place]
        ways = [way for way in self.ways(state, place) if (way[0], way[1]) in board.tiles]
        if not ways or self.rng.random() < 0.03:
            return self.passing(state, place)
        was = board.liking()
        tries = [self.tried(board, was, way) for way in self.rng.choices(ways, k=self.care)]
        _, (row, column, glasses, tiles), to = max(tries, key=lambda one: one[0])
        args: dict[str, object] = {"number": row, "column": column, "glasses": glasses, "tiles": tiles}
        if (row, column) in board.open:
            self.wanted = to
            if not state.rules.picture:
                args["shows"] = "other"
            elif to:
                args["to"] = f"{to[0]}-{to[1]}"
        elif not state.rules.phones:
            args |= self.shown(state, board.tiles[row, column])
        return self.event("tile_activated", seat, **args)

    def shown(self, state: State, tile: str) -> dict[str, object]:
        if not state.rules.picture:
            return {"shows": tile if tile.startswith("dice") else "other"}
        kind, _, ways = tile.partition(":")
        if kind in {"detective", "thief"} and tile not in map(str, state.box):
            return {"shows": kind, "ways": ways.replace(".", ",")}
        return {"shows": tile}

    def tried(
        self, board: Board, was: float, way: tuple[int, int, int, int]
    ) -> tuple[float, tuple[int, int, int, int], Place | None]:
        at = (way[0], way[1])
        if at not in board.open:
            return (2.2 if at[0] == at[1] else 1.2) - 0.1 * way[3], way, None
        free = [(r, c) for r in range(1, 6) for c in range(1, 6) if (r, c) not in board.tiles]
        if not free:
            return -1.0, way, None
        to = self.rng.choice(free)
        moved = Board(dict(board.tiles), set(board.open))
        moved.tiles[to] = moved.tiles.pop(at)
        moved.open = moved.open - {at} | {to}
        return moved.liking() - was - 0.1 * way[3], way, to

    def ways(self, state: State, place: int) -> list[tuple[int, int, int, int]]:
        """(row, column, glasses, dice tiles) of everything that the dice allow, said anew."""
        if state.special:
            every = [(row, column, 0, 0) for row in range(1, 6) for column in range(1, 6)]
            return every if place == state.active else []
        dice = Counter(state.dice)
        if place != state.active and state.taken:
            del dice[str(state.taken)]
        found = []
        for row in range(1, 6):
            for glasses in range(dice["glass"] + 1):
                for tiles in range(self.boards[place].right[str(row)] + 1):
                    column = dice[str(row)] + glasses + tiles
                    if dice[str(row)] and column <= 5:
                        found.append((row, column, glasses, tiles))
        return found

    def passing(self, state: State, place: int) -> Event:
        lying = sorted(self.boards[place].discard.elements())
        if not lying or state.rules.phones:
            return self.event("passed", state.seats[place])
        if state.special and place != state.active and self.rng.random() < 0.2:
            return self.event("passed", state.seats[place], takes="no")
        return self.event("passed", state.seats[place], back=self.rng.choice(lying))

    def follow(self, state: State, event: Event, after: State) -> None:
        """What the event does to the board that really lies there."""
        if not isinstance(event, TileActivated | Passed):
            return
        place = state.seats.index(Seat(str(event.by)))
        board = self.boards[place]
        if isinstance(event, Passed):
            back = [n for n in range(5) if after.players[place].right[n] > state.players[place].right[n]]
            for n in back:
                board.discard[str(n + 1)] -= 1
                board.right[str(n + 1)] += 1
            return
        board.right[str(event.number)] -= event.tiles
        board.discard[str(event.number)] += event.tiles
        self.touched(board, (event.number, event.column))

    def touched(self, board: Board, at: Place) -> None:
        if at in board.open:
            if self.wanted:
                board.tiles[self.wanted] = board.tiles.pop(at)
                board.open = board.open - {at} | {self.wanted}
        elif board.tiles[at].startswith("dice"):
            board.right[board.tiles.pop(at).partition(":")[2]] += 1
        else:
            board.open.add(at)


def sound(state: State, boards: list[Board] | None = None, touched: Seat | None = None) -> None:
    """What holds of every state; and, with the boards that really lie there, what it says of them.

    With ``touched`` only that player's board is looked at: no other has changed.
    """
    places = [state.seats.index(touched)] if touched else range(len(state.seats))
    assert len(state.dice) in {0, 5}
    assert (state.throws > 0) == bool(state.dice)
    assert state.active not in state.waiting
    assert bool(state.waiting) == (state.phase is Phase.OTHERS)
    assert not set(state.waiting) & set(state.idle)
    assert bool(state.under) == (state.rules.phones and state.phase is not Phase.BOX)
    for place in places:
        mine = state.players[place]
        assert min(*mine.right, *mine.discard) >= 0
        if state.rules.picture:
            lying = sum(there != 0 for there in mine.cells) + sum(mine.right) + sum(mine.discard)
            assert lying == 25
        else:
            assert all(there == 1 for there in mine.cells)
        if boards:
            agrees(state, place, boards[place])


def agrees(state: State, place: int, board: Board) -> None:
    """The companion's picture of a board is the board."""
    mine = state.players[place]
    assert mine.right == tuple(board.right[str(n)] for n in range(1, 6))
    assert mine.discard == tuple(board.discard[str(n)] for n in range(1, 6))
    if not state.rules.picture:
        return
    for cell, there in enumerate(mine.cells):
        at = (cell // 5 + 1, cell % 5 + 1)
        lies = "empty" if at not in board.tiles else board.tiles[at] if at in board.open else "down"
        assert {0: "empty", 1: "down"}.get(there, str(there)) == lies
    assert {(cell // 5 + 1, cell % 5 + 1) for cell in mine.tokens} == board.tokens()
