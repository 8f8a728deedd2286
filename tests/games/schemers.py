"""Killers and inspectors of Noir: whole evenings by two who want to win, or who do anything legal."""

import random
from collections.abc import Iterator
from dataclasses import replace

from companion.games.noir.grid import WAYS
from companion.games.noir.pieces import ALL, CARDS, NAMES, UNSEEN, bit, members
from companion.games.noir.rules import GAME
from companion.games.noir.state import INSPECTOR, KILLER, Phase, State
from companion.games.noir.steps import acting
from companion.games.noir.turns import why_not_shifted
from companion.rules.events import BellRang, Event, Seconds
from companion.rules.game import Setup
from companion.rules.notation import event_from

_ONLY_ON_CARDS = {"VictimAnswered", "ArrestAnswered", "IdentityDiscarded", "DeadCardDiscarded"}


def beside(state: State, card: int, other: int) -> bool:
    """C5 and C9 said anew: rows and columns differ by at most one each."""
    one, two = state.grid.where(card), state.grid.where(other)
    if one is None or two is None or one == two:
        return False
    return max(abs(one[0] - two[0]), abs(one[1] - two[1])) == 1


class Schemers:
    """``keen``: how often they do what helps them; else anything legal.

    With the cards on the table the cards that really lie there are kept in ``truth``, a game on phones that
    follows what happens.
    """

    def __init__(self, seed: int, *, keen: float = 0.8) -> None:
        self.rng = random.Random(seed)
        self.keen = keen
        self.now = 0.0

    def play(self, setup: Setup, most: int = 3000) -> Iterator[tuple[State, Event]]:
        """States and events until the game is over."""
        state = GAME.setup(setup)
        self.truth = GAME.setup(replace(setup, options={**setup.options, "secrets": "phones"}))
        for _ in range(most):
            if GAME.outcome(state) is not None:
                return
            event = self.next(state)
            yield state, event
            state = GAME.apply(state, event)
            self.follow(state, event)

    def follow(self, state: State, event: Event) -> None:
        if state.rules.phones:
            self.truth = state
        elif type(event).__name__ not in _ONLY_ON_CARDS and not isinstance(event, BellRang):
            if type(event).__name__ == "IdentityChosen":
                event = replace(event, card=self.place)
            owner = acting(self.truth)
            by = event.by if self.truth.killer < 0 else self.truth.seat_of(owner)
            self.truth = GAME.apply(self.truth, replace(event, by=by))

    def event(self, state: State, word: str, **args: str) -> Event:
        """Tapped by whom it concerns; on cards mostly by anybody."""
        self.now = round(self.now + self.rng.choice((2.0, 6.5, 21.0, 70.0)), 3)
        anybody = state.killer < 0 or not (state.rules.phones or word == "area_canvassed")
        by = self.rng.choice(state.seats) if anybody else state.seat_of(acting(state))
        event = event_from(word, args, at=Seconds(self.now), by=by, events=GAME.events)
        timer = GAME.expects(state).timer
        if timer is not None and timer.over(event.at):
            return BellRang(at=timer.ends_at, timer=timer.name)
        return event

    def next(self, state: State) -> Event:
        truth = self.truth
        match state.phase:
            case Phase.ROLE:
                return self.event(state, "killer_named", player=self.rng.choice(state.seats))
            case Phase.LAYOUT:
                free = [card for card in range(CARDS) if card not in state.grid.cards]
                if self.rng.random() < 0.1:
                    return self.event(state, "grid_completed")
                return self.event(state, "suspect_laid", name=NAMES[self.rng.choice(free)])
            case Phase.CHOOSE:
                alive = [p for p, card in enumerate(truth.hand) if truth.lives(card)]
                self.place = self.rng.choice(alive)
                card = {"card": str(self.place)} if state.rules.phones else {}
                return self.event(state, "identity_chosen", **card)
            case Phase.VICTIM:
                found = truth.identity[INSPECTOR] == state.asked
                return self.event(state, "victim_answered", inspector=_yes(found))
            case Phase.ARREST:
                found = truth.identity[KILLER] == state.asked
                return self.event(state, "arrest_answered", killer=_yes(found))
            case Phase.DISGUISE:
                return self.fate(state)
            case Phase.EXONERATE:
                return self.event(state, "suspect_exonerated", name=NAMES[self.rng.choice(truth.hand)])
            case Phase.CANVASS:
                near = beside(state, truth.identity[acting(state)], state.asked)
                return self.event(state, "area_canvassed", near=_yes(near))
        return self.turn(state)

    def fate(self, state: State) -> Event:
        """On cards: what became of the drawn card. ``truth`` has drawn it already."""
        card = self.truth.shown[-1]
        word = "identity_discarded" if state.lives(card) else "dead_card_discarded"
        return self.event(state, word, name=NAMES[card])

    def turn(self, state: State) -> Event:
        """Strike whom the other may be; else move towards them, or hide."""
        mine = self.truth.identity[state.role]
        reach = [card for card in state.grid.cards if state.lives(card) and beside(state, mine, card)]
        if state.role == INSPECTOR:
            reach.append(mine)
        word = "suspect_killed" if state.role == KILLER else "suspect_arrested"
        likely = [c for c in reach if state.could[1 - state.role] >> c & 1] if state.chosen else []
        if state.phase is Phase.FIRST or (likely and self.rng.random() < self.keen):
            return self.event(state, word, name=NAMES[self.rng.choice(likely or reach)])
        if state.deck and self.rng.random() < 0.3:
            return self.event(state, "disguise_drawn" if state.role == KILLER else "evidence_drawn")
        ways = ("left", "right", "up", "down") if state.rules.by_action else ()
        able = [way for way in ways if state.grid.nearest(ALL & ~state.alive, way)]
        if able and self.rng.random() < 0.5:
            return self.event(state, "grid_collapsed", way=self.rng.choice(able))
        if reach and self.rng.random() < 0.15:
            return self.event(state, word, name=NAMES[self.rng.choice(reach)])
        line, way = self.rng.choice(
            [
                (line, way)
                for line in state.grid.lines()
                for way in WAYS[line.kind]
                if not why_not_shifted(state, line, way)
            ]
        )
        return self.event(state, "line_shifted", line=str(line), way=way)


def _yes(says: bool) -> str:
    return "yes" if says else "no"


def sound(state: State, truth: State) -> None:
    """What holds in every state of every game; ``truth`` is the same game with its identities known."""
    grid = state.grid
    assert len(set(grid.cards)) == len(grid.cards)
    if state.phase in {Phase.ROLE, Phase.LAYOUT}:
        return
    assert len(grid.cards) == grid.rows * grid.columns
    assert 2 <= grid.rows <= 5
    assert 2 <= grid.columns <= 5
    assert all(card in grid.cards for card in members(state.alive))
    assert state.dead == CARDS - len(members(state.alive))
    assert state.dead <= state.rules.target
    assert not state.innocent & ~state.alive
    assert not state.innocent & ~sum(bit(card) for card in state.shown)
    assert len(set(state.shown)) == len(state.shown)
    four = state.phase in {Phase.CHOOSE, Phase.EXONERATE} or not (state.chosen or state.rules.draws_after)
    if state.chosen or state.phase is not Phase.FIRST:
        assert len(state.hand) == (4 if four else 3)
    if not state.rules.by_action and state.phase is Phase.TURN:
        assert not grid.all_in(ALL & ~state.alive)
    hidden = (*state.identity, *state.hand, *state.deck)
    assert (set(hidden) == {UNSEEN}) or state.rules.phones
    _cards(truth)
    if state.phase not in {Phase.END, Phase.VICTIM, Phase.ARREST, Phase.DISGUISE}:
        _identities(state, truth)


def _cards(truth: State) -> None:
    """Each evidence card is in one place."""
    known = [c for c in (*truth.identity, *truth.hand, *truth.deck, *truth.shown) if c != UNSEEN]
    assert sorted(known) == list(range(CARDS))


def _identities(state: State, truth: State) -> None:
    """Both live, are not marked, and are among those whom the notebook leaves."""
    for role in (KILLER, INSPECTOR):
        card = truth.identity[role]
        if card == UNSEEN:
            continue
        assert state.lives(card)
        assert card not in state.shown
        assert state.could[role] >> card & 1, f"{NAMES[card]} is left out of the notebook"
