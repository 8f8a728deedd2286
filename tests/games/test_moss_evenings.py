"""Whole evenings by players of two kinds: nothing breaks, nothing gets lost, and the game can be won."""

import random
from collections import Counter

import pytest

from companion.games.moss import catalogue, evidence
from companion.games.moss.rules import GAME
from companion.games.moss.state import ASSISTANCE_TOKENS, EVIDENCE_TOKENS, SUSPECTS, USE_LIMIT, State
from companion.rules.game import Setup
from games.detective import Detective, Hoarder, Reckless, WithTheBox
from games.kit import ANNA, BEN
from games.walker import Walker, any_setup


def assert_sound(state: State) -> None:
    """What holds in every state of every game."""
    turn = state.turn
    assert len(turn.faces) in {0, 8}
    assert len(turn.used) == len(set(turn.used)) <= USE_LIMIT
    assert 0 <= state.minutes <= state.start
    placed = [c for c in state.where if c is not None]
    assert len(placed) == len(set(placed))
    assert len(placed) + len(state.unplaced) + bool(state.arrested) == SUSPECTS
    assert all(state.rooms[c] is not None for c in placed)
    assert len(state.clues) + len(state.removed) + state.evidence_left == EVIDENCE_TOKENS
    assert len({clue.home for clue in state.clues}) == len(state.clues)
    assert state.assistance_left >= 0
    assert len(state.carried) <= 4
    assert set(evidence.eliminated(state)) == evidence.out(state)
    if state.rules.dealt:
        kinds = [c.kind for c in (*state.clues, *state.removed)]
        assert Counter((*kinds, *state.piles.evidence)) == Counter(catalogue.EVIDENCE)
        tokens = (*(kind for kind, _ in state.lying), *state.carried, *state.spent, *state.piles.assistance)
        assert Counter(tokens) == Counter(catalogue.ASSISTANCE)
        assert len(tokens) == ASSISTANCE_TOKENS


@pytest.mark.parametrize("seed", range(20))
def test_anything_tapped_keeps_the_table_sound(seed):
    rng = random.Random(seed)
    walk = Walker(GAME, any_setup(GAME, rng), rng)
    for before, event in walk.play(600):
        assert_sound(before)
        assert_sound(GAME.apply(before, event))


@pytest.mark.parametrize("player", [WithTheBox, Reckless, Hoarder])
@pytest.mark.parametrize("seed", range(3))
def test_a_purposeful_evening_keeps_the_table_sound(player, seed):
    options = {"pieces": "mine" if player is WithTheBox else "dealt", "level": "60"}
    for before, event in player(seed).play(Setup((ANNA,), options=options, deal=f"sound {seed}")):
        assert_sound(before)
        assert GAME.told(before, event, GAME.apply(before, event)).endswith(".")


@pytest.mark.slow
def test_eighty_games_run_to_their_end():
    ends: Counter[str] = Counter()
    for seed in range(80):
        rng = random.Random(seed)
        walk = Walker(GAME, any_setup(GAME, rng), rng)
        for before, event in walk.play(5000):  # noqa: B007 - the last one is looked at
            pass
        ended = GAME.outcome(GAME.apply(before, event))
        assert ended is not None, f"game {seed} does not end"
        ends[ended.termination] += 1
    assert sum(ends.values()) == 80


def test_three_evenings_with_the_box_follow_from_each_other():
    carried: dict[str, str] = {}
    known: set[str] = set()
    for seed in range(3):
        options = {"pieces": "mine", "level": "adaptive"}
        setup = Setup((ANNA,), options=options, carried=carried)
        for before, event in WithTheBox(seed).play(setup):  # noqa: B007 - the last one is looked at
            pass
        after = GAME.apply(before, event)
        assert after.start == int(carried.get("next_start", "45"))
        carried = dict(GAME.keeps(after))
        assert int(carried["last_start"]) == after.start
        tiles = set(carried["tiles"].split(";"))
        assert tiles >= known
        assert tiles >= {str(room.tile) for room in after.rooms if room}
        known = tiles
    following = GAME.setup(Setup((ANNA,), options={"level": "adaptive"}, carried=carried))
    assert following.start == int(carried["next_start"])
    assert GAME.keeps(following)["tiles"] == carried["tiles"]


def ends(level: str, games: int) -> Counter[str]:
    counted: Counter[str] = Counter()
    for seed in range(games):
        setup = Setup((ANNA, BEN), options={"level": level}, deal=f"evening {seed}")
        for before, event in Detective(seed).play(setup):  # noqa: B007 - the last one is looked at
            pass
        ended = GAME.outcome(GAME.apply(before, event))
        assert ended is not None
        counted[ended.termination] += 1
    return counted


def test_the_stand_in_catalogue_can_be_won_and_lost():
    rookie, sleuth = ends("60", 12), ends("30", 12)
    assert rookie["won"] >= 4
    assert sleuth["won"] < rookie["won"]
    assert sleuth["lost_time"] >= 4
