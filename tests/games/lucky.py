"""Players whose dice fall as they wish, so that a whole game is short enough to be played by taps."""

from collections import Counter
from dataclasses import replace
from operator import itemgetter
from typing import Any

from companion.games.moss.events import DiceHeld
from companion.games.moss.grid import CELLS, Cell
from companion.games.moss.state import State as House
from companion.games.moss.steps import Step, step
from companion.games.suspects.pieces import COLOURS, FILE
from companion.games.suspects.state import State, put
from companion.games.teatime.pieces import TOKENS
from companion.games.teatime.state import State as Tea
from companion.rules.events import DiceRolled, DieFace, Event, Seconds
from companion.rules.notation import word_of
from games.detective import Detective, Hoarder, Reckless, WithTheBox
from games.guests_at_tea import Board, Guests, Place
from games.sleuths import Sleuths, solved
from games.walker import Walker

Try = tuple[float, tuple[int, int, int, int], Place | None]
first = itemgetter(0)


class LuckySleuths(Sleuths):
    """The scene is one die away from a file, and a die that is rolled solves the case if it can."""

    def throw(self, dice: int) -> DiceRolled:
        if dice == 1:
            return self.lying([self.wished()])
        scene = list(self.truth.file[self.favourite()])
        scene[0] = self.rng.choice([colour for colour in COLOURS if colour != scene[0]])
        return self.lying(scene)

    def in_view(self, state: State) -> DiceRolled:
        faces = [face for place, face in enumerate(state.locker) if place != state.die]
        return self.lying([*faces, self.wished()])

    def favourite(self) -> int:
        """Whoever is closest to three cases, of those whose file could be one."""
        able = [
            place
            for place, file in enumerate(self.truth.file)
            if self.truth.identity[place] not in file and len(set(file)) < len(COLOURS)
        ]
        return max(able or [0], key=lambda place: self.truth.cases[place])

    def wished(self) -> str:
        for colour in COLOURS:
            there = replace(self.truth, locker=put(self.truth.locker, self.truth.die, colour))
            if any(solved(there, p) for p, file in enumerate(there.file) if len(file) == FILE):
                return colour
        return self.rng.choice(COLOURS)


class LuckyDetective(Detective):
    """Every throw pays for the way to the nearest goal and for what is to be done there.

    ``coloured`` is what the coloured die shows each time: the minutes of each turn. Seats tap in turn.
    """

    def __init__(self, seed: int, *, coloured: int = 1) -> None:
        super().__init__(seed)
        self.coloured = coloured
        self.whim = [self.rng.uniform(-1.5, 1.5) for _ in CELLS]

    def next(self, state: House) -> Event:
        now = step(state)
        if now is Step.THROW:
            return self.wished(state)
        if now is Step.RETHROW and state.turn.number == 2 and state.turn.throws == 1:
            return self.again(state)
        at = float(next(self.ticks))
        event = self._act(state, at) if now in {Step.RETHROW, Step.ACT} else self._forced(state, at)
        return replace(event, by=state.seats[int(at) % len(state.seats)])

    def again(self, state: House) -> Event:
        """Once the coloured die is held, and the white ones are thrown again; they fall as before."""
        at = Seconds(float(next(self.ticks)))
        if not state.turn.held:
            return DiceHeld(at=at, by=state.seats[0], dice=("c",))
        dice = tuple(DieFace("white", str(face)) for face in state.turn.faces[:-1])
        return DiceRolled(at=at, roll=f"r{at:g}", dice=dice)

    def wished(self, state: House) -> DiceRolled:
        at = float(next(self.ticks))
        path = self._path(state)
        goal = path[-1][0] if path else state.moss
        numbers = [n for _, asked in path for n in asked][:6]
        clue = state.clue_at(goal)
        if self._arrest_at(state) == goal and len(numbers) < 2:
            numbers += [3] * 5
        elif clue is not None and not state.arrested and len(numbers) <= 2:
            numbers += [2, 3, 4, 5]
        white = (*numbers, 1, 2, 3, 4, 5, 3, 2)[:7]
        faces = [DieFace("white", str(n)) for n in white] + [DieFace("coloured", str(self.coloured))]
        return DiceRolled(at=Seconds(at), roll=f"r{at:g}", dice=tuple(faces))

    def _detour(self, state: House, cell: Cell) -> float:
        return super()._detour(state, cell) + self.whim[int(cell)]


class LuckyBox(LuckyDetective, WithTheBox):
    """The same with pieces of their own."""


class LuckyReckless(LuckyDetective, Reckless):
    """The same, until nobody is left."""


class LuckyHoarder(LuckyDetective, Hoarder):
    """The same, with every token on the way."""


class Curious(Walker):
    """Taps anything, but seldom the same kind of thing again."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.done: Counter[str] = Counter()

    def event(self, state: Any) -> Event | None:
        draw = super().event
        drawn = [event for event in (draw(state) for _ in range(6)) if event is not None]
        if not drawn:
            return None
        event = min(drawn, key=lambda event: self.done[word_of(event)])
        self.done[word_of(event)] += 1
        return event


class LuckyGuests(Guests):
    """The dice allow who has them the best place of the own house, and the next player the best of theirs.

    Once some of them are kept and the others thrown again, and once the throwing is ended by tap.
    """

    def __init__(self, seed: int) -> None:
        super().__init__(seed, care=60, keeps=0.0)

    def roll(self, state: Tea) -> Event:
        if state.throws and (state.round > 3 or state.throws > 1):
            return self.act(state, state.active)
        if state.throws and state.round == 3:
            return self.event("rolling_stopped", state.seats[state.active])
        if state.throws and not state.held:
            return self.event("dice_held", state.seats[state.active], dice="d1,d2")
        faces = state.dice[2:] if state.held else self.wished(state)
        self.throws += 1
        self.now = round(self.now + 5.0, 3)
        dice = tuple(DieFace("teatime", face) for face in faces)
        return DiceRolled(at=Seconds(self.now), roll=f"t{self.throws}", dice=dice)

    def wished(self, state: Tea) -> tuple[str, ...]:
        ours, theirs = (
            self.wishes(place) for place in (state.active, (state.active + 1) % len(state.seats))
        )
        pairs = [(one, other) for one in ours for other in theirs if one[1] != other[1]]
        (_, row, ones), (_, other, others) = max(pairs, key=lambda pair: pair[0][0] + pair[1][0])
        faces = (*(str(row),) * ones, *(str(other),) * others)
        return (*faces, *("glass",) * (5 - len(faces)))

    def wishes(self, place: int) -> list[tuple[float, int, int]]:
        """(liking, row, dice of it that have to be there) of each tile: the other dice are glasses."""
        board = self.boards[place]
        was = board.liking()
        tried = (self.tried(board, was, (row, column, 0, 0)) for row, column in board.tiles if column < 5)
        return [(liking, row, 1) for liking, (row, *_), _ in tried]

    def tried(self, board: Board, was: float, way: tuple[int, int, int, int]) -> Try:
        """Of all empty places the one where an open tile helps most."""
        at = (way[0], way[1])
        free = [(r, c) for r in range(1, 6) for c in range(1, 6) if (r, c) not in board.tiles]
        if at not in board.open or not free:
            return super().tried(board, was, way)
        return max(((self.moved(board, at, to) - was - 0.1 * way[3], way, to) for to in free), key=first)

    def moved(self, board: Board, at: Place, to: Place) -> float:
        after = Board({**board.tiles, to: board.tiles[at]}, board.open - {at} | {to})
        del after.tiles[at]
        return after.liking()


class QuickCounters(LuckyGuests):
    """Without pictures of the boards: in the second round the first player has told five tokens."""

    def uncounted(self, state: Tea) -> int | None:
        return None

    def next(self, state: Tea, people: tuple[str, ...]) -> Event:
        told = state.players[0].counted
        if state.round == 2 and told < TOKENS:
            return self.event("tokens_counted", state.seats[0], tokens=told + 1)
        return super().next(state, people)
