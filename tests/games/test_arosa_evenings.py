"""Whole evenings of Mord im Arosa: whatever is done, no cube is lost, and every evening ends."""

import random
from collections import Counter
from functools import reduce

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from companion.games.arosa.pieces import CLUES, FLOORS, TEN, VICTIM, VICTIMS
from companion.games.arosa.rules import GAME
from companion.games.arosa.state import NOBODY, Phase, State
from companion.games.arosa.steps import THROWS, Step, pending, step
from companion.rules.events import BellRang, CubeDropped, CubesSeen, Seat, Seconds
from companion.rules.game import Setup
from companion.rules.notation import event_from
from games.arosa_kit import NAMES
from games.guests import Guests
from games.walker import Walker, any_setup


def assert_sound(state: State) -> None:
    """What holds in every state of every game."""
    rows = zip(state.supply, state.sheet, state.tower, state.loose, strict=True)
    for supply, sheet, tower, loose in rows:
        assert supply + sum(sheet) + tower + loose == CLUES
        assert min(supply, *sheet, tower, loose) >= 0
    assert state.inside + state.outside + state.found == VICTIMS
    assert min(state.inside, state.outside, state.found) >= 0
    assert len(state.scenes) <= state.found
    assert set(state.scenes) == {reveal.floor for reveal in state.reveals if reveal.victims}
    ended = 0 in state.supply or any(sum(sheet) >= TEN for sheet in state.sheet)
    assert (state.phase is Phase.END) == ended == bool(state.ended)
    assert (GAME.outcome(state) is not None) == ended
    if state.phase is Phase.ACT2:
        assert state.found == VICTIMS
    if step(state) in THROWS:
        assert all(n > 0 for _, n in pending(state))
    if state.active == NOBODY:
        assert step(state) in {Step.KNIFE, Step.HOTEL}
    ids = [drop.id for drop in (*state.drops, *state.strays, *state.throwing.waiting)]
    assert len(ids) == len(set(ids))


def setup_of(rng: random.Random) -> Setup:
    seats = tuple(Seat(name) for name in NAMES[: rng.randint(2, 6)])
    return Setup(seats, {option.name: rng.choice(option.choices)[0] for option in GAME.options})


def evening(seed: int) -> Counter[str]:
    """One evening of purposeful guests, looked at after every event; what happened in it."""
    rng = random.Random(seed)
    guests = Guests(
        seed,
        rng.choice(("nothing", "all", "most")),
        ears=rng.choice((0.0, 0.5, 1.0)),
        mishaps=rng.choice((0.0, 0.05)),
    )
    happened: Counter[str] = Counter()
    for before, event in guests.play(setup_of(rng)):
        after = GAME.apply(before, event)
        assert_sound(after)
        happened[type(event).__name__] += 1
    happened[after.ended] += 1
    happened[f"{len(after.scenes)} scenes"] += 1
    return happened


def test_two_hundred_evenings_keep_every_cube_and_end():
    happened: Counter[str] = Counter()
    for seed in range(200):
        happened += evening(seed)
    assert happened["ten_clues"] + happened["empty_supply"] == 200
    assert min(happened[name] for name in ("ten_clues", "empty_supply", "1 scenes", "2 scenes")) > 10
    for kind in (*GAME.events, CubeDropped, CubesSeen, BellRang):
        rare = {"ColourTaken", "StrayNamed", "StrayPutAway", "GuessStruck"}
        assert happened[kind.__name__] or kind.__name__ in rare, kind


@pytest.mark.parametrize("seed", range(6))
def test_anything_tapped_keeps_the_table_sound(seed):
    rng = random.Random(seed)
    walk = Walker(GAME, any_setup(GAME, rng), rng)
    for before, event in walk.play(150):
        assert_sound(before)
        after = GAME.apply(before, event)
        assert_sound(after)
        assert GAME.told(before, event, after).endswith(".")


@pytest.mark.parametrize("seed", range(10))
def test_a_replay_is_the_same_evening(seed):
    setup = setup_of(random.Random(seed))
    steps = list(Guests(seed, "most", ears=0.5, mishaps=0.05).play(setup))
    again = reduce(GAME.apply, (event for _, event in steps[:-1]), GAME.setup(setup))
    assert again == steps[-1][0]


def test_what_the_books_say_is_what_lies_in_the_tower():
    """The guests' own tower holds what the books reckon, after every reveal."""
    for seed in range(40):
        guests = Guests(seed, "most", ears=0.5)
        for before, event in guests.play(setup_of(random.Random(seed))):
            if isinstance(event, CubesSeen):
                inside = Counter(colour for colour, _ in guests.inside) + Counter(event.cubes)
                books = {c: n for c, n in zip(before.colours, before.tower, strict=True) if n}
                assert {c: n for c, n in inside.items() if c != VICTIM} == books
                assert inside[VICTIM] == before.inside


class AtTheTable(RuleBasedStateMachine):
    """Anybody doing anything that is offered, and the tower reporting what it likes."""

    def __init__(self) -> None:
        super().__init__()
        self.state = GAME.setup(
            Setup(tuple(Seat(n) for n in NAMES[:3]), {"knife": "first", "hotel": "first"})
        )
        self.now = 0.0
        self.drops = 0

    def fold(self, event) -> None:
        self.state = GAME.apply(self.state, event)

    def tap(self, word: str, **args: str) -> None:
        self.now += 1.5
        by = self.state.seats[max(0, self.state.active)]
        self.fold(event_from(word, args, at=Seconds(self.now), by=by, events=GAME.events))

    def at(self, *steps: Step) -> bool:
        return step(self.state) in steps

    def is_on(self) -> bool:
        return self.state.phase is not Phase.END

    @precondition(lambda self: step(self.state) in THROWS)
    @rule(choice=st.integers(0, 9), soon=st.booleans())
    def name(self, choice, soon):
        wanted = pending(self.state)
        self.now += 0.0 if soon else 5.0
        self.tap("cube_thrown", colour=wanted[choice % len(wanted)][0])

    @precondition(is_on)
    @rule(late=st.sampled_from([0.0, 2.0, 6.0]))
    def report(self, late):
        self.now += late
        self.drops += 1
        self.fold(CubeDropped(at=Seconds(self.now), drop=f"d{self.drops}"))

    @precondition(lambda self: GAME.expects(self.state).timer is not None)
    @rule()
    def ring(self):
        timer = GAME.expects(self.state).timer
        self.now = max(self.now, float(timer.ends_at))
        self.fold(BellRang(at=timer.ends_at, timer=timer.name))

    @precondition(lambda self: any(t.word == "throw_missed" for t in GAME.expects(self.state).taps))
    @rule()
    def miss(self):
        self.tap("throw_missed")

    @precondition(lambda self: any(t.word == "cubes_checked" for t in GAME.expects(self.state).taps))
    @rule(stuck=st.sampled_from(["yes", "no"]))
    def check(self, stuck):
        self.tap("cubes_checked", stuck=stuck)

    @precondition(lambda self: self.is_on() and self.state.strays)
    @rule(whose=st.integers(0, 3))
    def clear_up(self, whose):
        drop = self.state.strays[0].id
        if whose < 3:
            self.tap("stray_named", drop=drop, colour=self.state.colours[whose])
        else:
            self.tap("stray_put_away", drop=drop)

    @precondition(lambda self: self.at(Step.CALL))
    @rule(how=st.sampled_from(["one", "both", "cover"]))
    def call(self, how):
        others = [s for s in self.state.seats if s != self.state.seats[self.state.active]]
        if how == "cover" and self.state.on_sheet(self.state.active):
            self.tap("cover_called")
        else:
            self.tap("suspicion_voiced", suspects=",".join(others if how == "both" else others[:1]))

    @precondition(lambda self: self.at(Step.LIFT))
    @rule(floor=st.sampled_from(FLOORS))
    def lift(self, floor):
        self.tap("floor_lifted", floor=str(floor))

    @precondition(lambda self: self.at(Step.INSPECT))
    @rule(data=st.data())
    def see(self, data):
        self.tap("cubes_seen", cubes=",".join(self.some(data, 0)))

    @precondition(
        lambda self: self.at(Step.LIFT, Step.INSPECT, Step.RETURN, Step.RECOVER) and self.inside()
    )
    @rule(data=st.data())
    def fall(self, data):
        self.tap("cubes_fell_out", cubes=",".join(self.some(data, 1)))

    @precondition(lambda self: self.at(Step.RECOVER))
    @rule(data=st.data())
    def recover(self, data):
        self.tap("clues_recovered", count=str(data.draw(st.integers(0, self.state.turn.recoverable))))

    def inside(self) -> list[str]:
        counts = zip((*self.state.colours, VICTIM), (*self.state.tower, self.state.inside), strict=True)
        return [colour for colour, n in counts for _ in range(n)]

    def some(self, data, fewest: int) -> list[str]:
        inside = self.inside()
        order = data.draw(st.permutations(inside)) if inside else []
        return list(order)[: data.draw(st.integers(fewest, min(4, len(inside)))) if inside else 0]

    @invariant()
    def no_cube_is_lost(self):
        assert_sound(self.state)

    @invariant()
    def screens_can_be_drawn(self):
        for seat in (None, self.state.seats[0]):
            assert GAME.view(self.state, seat, Seconds(self.now)).headline


AtTheTable.TestCase.settings = settings(max_examples=25, stateful_step_count=50, deadline=None)
TestAtTheTable = AtTheTable.TestCase
