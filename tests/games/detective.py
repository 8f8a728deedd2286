"""Two players of Inspector Moss for tests: one who taps anything, and one who wants to win."""

import heapq
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import count

from companion.games.moss import catalogue, evidence, house
from companion.games.moss import events as ev
from companion.games.moss.cost import WILD, face_of, loose
from companion.games.moss.grid import Cell
from companion.games.moss.offers import offers
from companion.games.moss.rules import GAME
from companion.games.moss.state import CARRY_LIMIT, DICE, SUSPECTS, State
from companion.games.moss.steps import Step, step
from companion.games.moss.walks import steps_from
from companion.rules.events import DiceRolled, DieFace, Event, Seat, Seconds
from companion.rules.game import Setup
from companion.rules.notation import event_from
from companion.rules.view import Action

ANNA = Seat("anna")


def throw(state: State, rng: random.Random, at: float) -> DiceRolled:
    """The dice in the air come to rest anyhow."""
    waiting = GAME.expects(state).dice
    assert waiting is not None
    faces = tuple(
        DieFace(kind, str(rng.randint(1, 6))) for kind, number in waiting.thrown for _ in range(number)
    )
    return DiceRolled(at=Seconds(at), roll=f"r{at:g}", dice=faces)


def tapped(action: Action, at: float, by: Seat = ANNA, **filled: str) -> Event:
    """The event that tapping an action sends, its inputs at their defaults or ``filled``."""
    args = {**action.args, **{asked.name: asked.default for asked in action.inputs}, **filled}
    return event_from(action.word, args, at=Seconds(at), by=by, events=GAME.events)


class Detective:
    """Gathers evidence, explores, arrests, drives home; keeps the coloured die low."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.ticks = count(1)

    def play(self, setup: Setup) -> Iterator[tuple[State, Event]]:
        """The state before each event, and the event, until the game is over."""
        state = GAME.setup(setup)
        while GAME.outcome(state) is None:
            event = self.next(state)
            yield state, event
            state = GAME.apply(state, event)

    def next(self, state: State) -> Event:
        at = float(next(self.ticks))
        now = step(state)
        if now is Step.THROW:
            return throw(state, self.rng, at)
        if now is Step.RETHROW:
            return self._rethrow(state, at)
        if now is Step.ACT:
            return self._act(state, at)
        return self._forced(state, at)

    def _forced(self, state: State, at: float) -> Event:
        actions = [a for a in offers(GAME.apply, state, ANNA) if a.group in {"House", "Evidence", "Tokens"}]
        safe = [a for a in actions if not a.id.endswith("-loses")] or actions
        action = safe[0]
        for asked in action.inputs:
            if asked.name == "turn" and action.word == "arrow_pointed":
                turns = [int(value) for value, _ in asked.choices]
                return tapped(action, at, turn=str(max(turns, key=lambda t: self._arrow_worth(state, t))))
        return tapped(action, at)

    def _arrow_worth(self, state: State, turn: int) -> float:
        return self._worth(GAME.apply(state, ev.ArrowPointed(at=Seconds(0), turn=turn)))

    def _worth(self, state: State) -> float:
        down = evidence.out(state)
        left = [name for name in state.names if name not in down]
        if not left:
            return -1000.0
        placed = any(name not in state.unplaced for name in left)
        lit_hidden = sum(state.rooms[cell] is None for cell in evidence.lit(state))
        return len(down) + (0.0 if placed else -3.0) + 0.1 * lit_hidden

    def _rethrow(self, state: State, at: float) -> Event:
        keep = self._keep(state)
        if state.turn.held != keep:
            order = tuple(die for die in DICE if die in keep)
            return ev.DiceHeld(at=Seconds(at), by=ANNA, dice=order)
        if len(keep) == len(DICE):
            return ev.RollingStopped(at=Seconds(at), by=ANNA)
        return throw(state, self.rng, at)

    def _keep(self, state: State) -> frozenset[str]:
        """The dice that the plan asks for, and the coloured die once it is low."""
        faces = {die: face_of(state, die) for die in loose(state)}
        keep = {"c"} if faces["c"] <= 2 else set()
        wanted = Counter(self._plan(state, faces))
        for die in DICE:
            if wanted[faces[die]] > 0 and (die != "c" or "c" in keep):
                wanted[faces[die]] -= 1
                keep.add(die)
        return frozenset(keep)

    def _plan(self, state: State, faces: dict[str, int]) -> list[int]:
        path = self._path(state)
        numbers = [n for _, asked in path for n in asked]
        common = Counter(f for f in faces.values() if f < 6).most_common(1)
        goal = path[-1][0] if path else state.moss
        if self._arrest_at(state) == goal and len(numbers) < 6:
            return numbers + [common[0][0]] * 5 if common else numbers
        clue = state.clue_at(goal)
        if clue is not None and not state.arrested:
            return numbers + ([2, 3, 4, 5] if len(numbers) <= 2 else [])
        return numbers

    def _act(self, state: State, at: float) -> Event:
        actions = {a.id: a for a in offers(GAME.apply, state, ANNA) if not a.refused}
        for ident in ("car", "arrest", "proof", "gather"):
            if ident in actions and not actions[ident].warning:
                return tapped(actions[ident], at)
        better = self._better_setting(state, actions.get("reexamine"), at)
        if better is not None:
            return better
        path = self._path(state)
        move = actions.get(f"move-{path[0][0]}") if path else None
        if move is not None and not move.warning:
            return tapped(move, at)
        return tapped(actions["end"], at)

    def _better_setting(self, state: State, action: Action | None, at: float) -> Event | None:
        if action is None or state.arrested:
            return None
        events = [
            tapped(action, at, **{action.inputs[0].name: value}) for value, _ in action.inputs[0].choices
        ]
        best = max(events, key=lambda event: self._worth(GAME.apply(state, event)))
        return best if self._worth(GAME.apply(state, best)) >= self._worth(state) + 1 else None

    def _arrest_at(self, state: State) -> Cell | None:
        down = evidence.out(state)
        left = [name for name in state.names if name not in down]
        if state.arrested or len(left) != 1:
            return None
        return state.where[state.names.index(left[0])]

    def _path(self, state: State) -> list[tuple[Cell, tuple[int, ...]]]:
        """The steps to the nearest goal over face-up tiles, fewest dice first."""
        best: dict[Cell, tuple[int, list[tuple[Cell, tuple[int, ...]]]]] = {state.moss: (0, [])}
        todo: list[tuple[int, Cell]] = [(0, state.moss)]
        while todo:
            spent, here = heapq.heappop(todo)
            if spent > best[here][0]:
                continue
            for there, asked in steps_from(state, here):
                price = spent + len(asked)
                if there not in best or price < best[there][0]:
                    best[there] = (price, [*best[here][1], (there, asked)])
                    heapq.heappush(todo, (price, there))
        goals = [cell for cell in best if self._is_goal(state, cell)]
        return best[min(goals, key=lambda c: best[c][0] + self._detour(state, c))][1] if goals else []

    def _is_goal(self, state: State, cell: Cell) -> bool:
        if state.arrested:
            return cell == state.car.cell if state.car else bool(house.to_reveal(state, cell))
        if (at := self._arrest_at(state)) is not None:
            return cell == at
        clue = state.clue_at(cell)
        if clue is not None and not clue.shown:
            return True
        if clue is not None and self._improvable(state, cell):
            return True
        return bool(house.to_reveal(state, cell))

    def _improvable(self, state: State, cell: Cell) -> bool:
        clue = state.clue_at(cell)
        assert clue is not None
        if clue.kind not in evidence.ARROWS:
            return False
        settings = (
            evidence.changed(state, clue, replace(clue, turn=turn)) for turn in evidence.settings(clue.kind)
        )
        return max(self._worth(other) for other in settings) >= self._worth(state) + 1

    def _detour(self, state: State, cell: Cell) -> float:
        clue = state.clue_at(cell)
        return 1.5 if clue is not None else 0.0


class WithTheBox(Detective):
    """Plays with pieces of their own: turns them up and says what they show."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.tiles = self.rng.sample(catalogue.ROOM_TILES, len(catalogue.ROOM_TILES))
        self.evidence = self.rng.sample(catalogue.EVIDENCE, len(catalogue.EVIDENCE))
        self.assistance = self.rng.sample(catalogue.ASSISTANCE, len(catalogue.ASSISTANCE))

    def _forced(self, state: State, at: float) -> Event:
        now = step(state)
        action = offers(GAME.apply, state, ANNA)[0]
        if now is Step.REVEAL:
            return tapped(action, at, tile=str(self.tiles.pop()))
        if now is Step.LAY and state.due.hand is not None:
            icon = state.due.hand[1].icon
            if icon == "suspect" and state.unplaced:
                return tapped(action, at, token=self.rng.choice(state.unplaced))
            if icon == "assistance" and state.assistance_left:
                return tapped(action, at, token=self.assistance.pop())
        return super()._forced(state, at)

    def _act(self, state: State, at: float) -> Event:
        event = super()._act(state, at)
        return replace(event, kind=self.evidence.pop()) if isinstance(event, ev.EvidenceGathered) else event


class Reckless(Detective):
    """Takes every chance to eliminate all ten."""

    def _worth(self, state: State) -> float:
        return len(evidence.out(state)) + 5.0 * (len(evidence.out(state)) == SUSPECTS)

    def _forced(self, state: State, at: float) -> Event:
        for action in offers(GAME.apply, state, ANNA):
            if action.id.endswith("-loses"):
                return tapped(action, at)
        return super()._forced(state, at)


class Hoarder(Detective):
    """Collects tokens on the way and uses whatever it carries."""

    def _is_goal(self, state: State, cell: Cell) -> bool:
        fetching = (
            not state.arrested and self._arrest_at(state) is None and len(state.carried) < CARRY_LIMIT
        )
        return (fetching and bool(state.tokens_at(cell))) or super()._is_goal(state, cell)

    def _plan(self, state: State, faces: dict[str, int]) -> list[int]:
        numbers = super()._plan(state, faces)
        common = Counter(f for f in faces.values() if f < WILD).most_common(1)
        if state.tokens_at(state.moss) and common and not numbers:
            return [common[0][0]] * 3
        return numbers

    def _act(self, state: State, at: float) -> Event:
        ready = [a for a in offers(GAME.apply, state, ANNA) if not a.refused and not a.warning]
        by_id = {action.id: action for action in ready}
        if "informant" in by_id and not any(ANNA in clue.peeked for clue in state.clues):
            return tapped(by_id["informant"], at)
        if "skip" in by_id and state.turn.faces[-1] >= 4 and "car" not in by_id:
            return tapped(by_id["skip"], at)
        for action in ready:
            wanted = self.rng.random() < 0.1 and action.id.startswith(("passage", "bomb", "switch"))
            lucky = action.id == "lucky" and self.rng.random() < 0.3
            if action.id.startswith("collect") or wanted or lucky:
                return tapped(action, at)
        return super()._act(state, at)
