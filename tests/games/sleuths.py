"""Players of Unusual Suspects: whole evenings by people who want to solve cases, and err now and then."""

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from companion.games.suspects.cases import callers
from companion.games.suspects.pieces import COLOURS, FILE, KIND, absent
from companion.games.suspects.rules import GAME
from companion.games.suspects.state import NOBODY, Phase, State
from companion.games.suspects.turns import why_not_taken
from companion.rules.events import BellRang, DiceRolled, DieFace, Event, Seat, Seconds
from companion.rules.game import Setup
from companion.rules.notation import event_from


def solved(truth: State, player: int) -> bool:
    """U9 said anew, with sorted colours: file and dice alike, the identity in neither."""
    file, identity = truth.file[player], truth.identity[player]
    return sorted(file) == sorted(truth.locker) and identity not in truth.locker


class Sleuths:
    """``alert``: how often somebody who has solved the case notices; ``errs``: how often one calls falsely.

    With the cards on the table the cards that really lie there are kept in ``truth``, a game on phones
    that follows what happens.
    """

    def __init__(self, seed: int, *, alert: float = 0.9, errs: float = 0.0) -> None:
        self.rng = random.Random(seed)
        self.alert = alert
        self.errs = errs
        self.now = 0.0
        self.rolls = 0

    def play(self, setup: Setup, most: int = 20000) -> Iterator[tuple[State, Event]]:
        """States and events until the game is over."""
        state = GAME.setup(setup)
        self.truth = GAME.setup(replace(setup, options={**setup.options, "secrets": "phones"}))
        for _ in range(most):
            if GAME.outcome(state) is not None:
                return
            event = self.in_time(state, self.bell(state) or self.next(state))
            yield state, event
            state = GAME.apply(state, event)
            self.follow(state, event)

    def follow(self, state: State, event: Event) -> None:
        """The real cards go the way of the event; what the companion alone wants is nothing to them."""
        if state.rules.phones:
            self.truth = state
            return
        if type(event).__name__ in {"FirstCardTurned", "CardsCompared"}:
            return
        if type(event).__name__ == "CaseDeclared" and not solved(self.truth, self.place(event.by)):
            return
        if isinstance(event, BellRang) and event.timer == "call" and self.truth.phase is not Phase.CALLED:
            return
        if type(event).__name__ == "CaseOpened" and self.truth.phase is not Phase.SOLVED:
            raise AssertionError(f"{self.truth.phase} cannot end with a case")
        forfeits = self.truth.forfeits if type(event).__name__ == "FalselyCalled" else self.before.forfeits
        self.truth = GAME.apply(replace(self.truth, forfeits=forfeits), event)

    def place(self, seat: Seat | None) -> int:
        return self.truth.seats.index(Seat(str(seat)))

    def event(self, word: str, by: Seat | None, **args: str) -> Event:
        ponders = self.rng.random() < 0.01
        self.now = round(self.now + (70.0 if ponders else self.rng.choice((0.5, 1.5, 4.0, 6.5))), 3)
        return event_from(word, args, at=Seconds(self.now), by=by, events=GAME.events)

    def bell(self, state: State) -> BellRang | None:
        """The bell that the table rings before anything else, and the one that closes a call."""
        self.before, self.caller = state, self.next_caller(state)
        timer = GAME.expects(state).timer
        closing = state.phase is Phase.CALLED and self.caller is None
        if timer is None or not (closing or timer.over(Seconds(self.now))):
            return None
        self.now = max(self.now, float(timer.ends_at))
        return BellRang(at=timer.ends_at, timer=timer.name)

    def in_time(self, state: State, event: Event) -> Event:
        """The bell that was due before ``event``, or else the event."""
        timer = GAME.expects(state).timer
        if timer is None or isinstance(event, BellRang) or not timer.over(event.at):
            return event
        return BellRang(at=timer.ends_at, timer=timer.name)

    def next_caller(self, state: State) -> int | None:
        """Who calls now: somebody who has solved the case, or, seldom, somebody who has not."""
        able = [p for p in callers(state) if len(self.truth.file[p]) == FILE]
        right = [p for p in able if solved(self.truth, p)]
        if right and self.rng.random() < self.alert:
            return self.rng.choice(right)
        wrong = [p for p in able if p not in right]
        lies = not state.rules.phones and absent(state.locker) and self.rng.random() < self.errs
        return self.rng.choice(wrong) if wrong and lies else None

    def next(self, state: State) -> Event:
        seats, who = state.seats, state.seats[max(0, state.active)]
        anybody = self.rng.choice(seats)
        match state.phase:
            case Phase.DEALER:
                return self.event("dealer_named", anybody, player=self.rng.choice(seats))
            case Phase.FLIP:
                return self.event("first_card_turned", anybody, colour=self.truth.discard[-1])
            case Phase.SCENE:
                return self.throw(6)
            case Phase.TRANSFER:
                return self.event("locker_compared", anybody)
            case Phase.ROLL:
                return self.in_view(state) if self.rng.random() < 0.3 else self.throw(1)
            case Phase.SHOWN:
                other = self.rng.choice([s for p, s in enumerate(seats) if p != state.claims[0]])
                match = solved(self.truth, state.claims[0])
                return self.event("cards_compared", other, match="yes" if match else "no")
            case Phase.SOLVED:
                return self.event("case_opened", anybody)
        if self.caller is not None:
            return self.event("case_declared", seats[self.caller])
        if state.phase is Phase.DRAWN:
            return self.event("card_discarded", who, colour=self.spared(state))
        if state.rules.forfeit and self.rng.random() < self.errs and not all(state.forfeits):
            free = [seat for seat, out in zip(seats, state.forfeits, strict=True) if not out]
            return self.event("falsely_called", anybody, player=self.rng.choice(free))
        return self.act(state, who)

    def act(self, state: State, who: Seat) -> Event:
        """Take what is missing, turn what is in the way, else hope."""
        file, identity = self.truth.file[state.active], self.truth.identity[state.active]
        lacks = Counter(state.locker) - Counter(file)
        if self.truth.discard[-1] in lacks and not why_not_taken(self.truth):
            return self.event("card_drawn", who, source="discard")
        wrong = [n for n, face in enumerate(state.locker, start=1) if face == identity]
        wrong = wrong or [n for n, face in enumerate(state.locker, start=1) if face in lacks]
        if wrong and self.rng.random() < 0.6:
            return self.event("die_taken", who, die=str(self.rng.choice(wrong)))
        return self.event("card_drawn", who, source="pile")

    def spared(self, state: State) -> str:
        """A card that matches no die if there is one, and none that must not go."""
        file = self.truth.file[state.active]
        legal = [card for card in file if state.rules.same_allowed or card != state.taken]
        useless = Counter(file) - Counter(state.locker)
        return self.rng.choice([card for card in legal if useless[card]] or legal)

    def throw(self, dice: int) -> DiceRolled:
        return self.lying([self.rng.choice(COLOURS) for _ in range(dice)])

    def in_view(self, state: State) -> DiceRolled:
        """All six dice in view, one of them thrown again, in any order."""
        faces = [face for place, face in enumerate(state.locker) if place != state.die]
        faces.append(self.rng.choice(COLOURS))
        self.rng.shuffle(faces)
        return self.lying(faces)

    def lying(self, faces: list[str]) -> DiceRolled:
        self.rolls += 1
        self.now = round(self.now + 3.0, 3)
        dice = tuple(DieFace(KIND, face) for face in faces)
        return DiceRolled(at=Seconds(self.now), roll=f"throw-{self.rolls}", dice=dice)


def sound(state: State) -> None:
    """What holds in every state of every game."""
    players = len(state.seats)
    assert len(state.cases) == len(state.forfeits) == players
    if state.case:
        total = len(state.identity) + sum(map(len, state.file)) + len(state.pile) + len(state.discard)
        assert total == 54
        assert len(state.identity) == len(state.file) == players
        drawing = state.back if state.phase in {Phase.CALLED, Phase.SHOWN} else state.phase
        seven = {state.active} if drawing is Phase.DRAWN else set()
        held = [len(file) for file in state.file]
        if state.phase not in {Phase.SOLVED, Phase.END}:
            assert held == [FILE + (place in seven) for place in range(players)]
        known = [c for c in (*state.identity, *(c for f in state.file for c in f), *state.pile) if c]
        if state.rules.phones:
            assert Counter((*known, *state.discard)) == Counter(dict.fromkeys(COLOURS, 9))
        else:
            assert not known
    assert len(state.locker) in {0, 6}
    assert set(state.locker) <= set(COLOURS)
    assert max(state.cases) <= 3
    assert sum(len(record.players) for record in state.solved) == sum(state.cases)
    assert (state.phase is Phase.ROLL) == (state.die != NOBODY)
    if state.tampers and state.phase is not Phase.ROLL:
        assert state.locker[state.tampers[-1].die] == state.tampers[-1].now
