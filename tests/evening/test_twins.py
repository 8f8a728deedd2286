"""Two evenings alike in all that lies open, with other cards face down: nobody else can tell them apart.

Everything that leaves the server is compared whole, so that page sizes, the order of buttons, greyed
reasons and refusals tell nothing either. What Anna and Bert tap is the same in both, also what is refused.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import pytest

from companion.games import all_games
from companion.games.noir import dealing as noir_deals
from companion.games.suspects import dealing as suspects_deals
from companion.games.teatime import box as teatime_deals
from test_secrecy import Evening
from walk import everything, visitor


@dataclass(frozen=True)
class Twins:
    """A game in which Anna holds one secret or another; ``dealing`` is where it takes its shuffles from."""

    slug: str
    options: dict[str, str]
    dealing: object
    orders: tuple[Callable[[str, Sequence], Sequence], Callable[[str, Sequence], Sequence]]
    taps: tuple[tuple[str, str, dict[str, str]], ...]
    refused: tuple[tuple[str, str, dict[str, str]], ...]
    own: str
    """Text of Anna's own screen that differs between the two; empty where she may not know it either."""


def _plain(_pile, items):
    return tuple(items)


def _annas_cards_below(_pile, items):
    """Anna's identity and file change places with cards deep in the pile."""
    order = list(items)
    anna = [1, *range(3, 15, 2)]
    for place, other in zip(anna, range(40, 47), strict=True):
        order[place], order[other] = order[other], order[place]
    return tuple(order)


SUSPECTS = Twins(
    "suspects",
    {"secrets": "phones", "dealer": "first"},
    suspects_deals,
    (_plain, _annas_cards_below),
    (
        (
            "anna",
            "dice_rolled",
            {
                "roll": "r1",
                "dice": "fingerprint:green,fingerprint:red,fingerprint:blue,"
                "fingerprint:brown,fingerprint:purple,fingerprint:yellow",
            },
        ),
        ("anna", "locker_compared", {}),
        ("bert", "die_taken", {"die": "2"}),
        ("bert", "dice_rolled", {"roll": "r2", "dice": "fingerprint:red"}),
        ("anna", "card_drawn", {"source": "pile"}),
    ),
    (
        ("anna", "case_declared", {}),
        ("bert", "case_declared", {}),
    ),
    "Your secret identity: ",
)


def _killer_and_deck_change_places(pile, items):
    """Anna is Geneva in the middle of things, not Alyss in the corner; Alyss lies in the deck."""
    order = list(items)
    if pile == "evidence":
        order[0], order[6] = order[6], order[0]
    return tuple(order)


NOIR = Twins(
    "noir",
    {"secrets": "phones", "killer": "first"},
    noir_deals,
    (_plain, _killer_and_deck_change_places),
    (
        ("anna", "suspect_killed", {"name": "Franklin"}),
        ("bert", "identity_chosen", {"card": "0"}),
        ("anna", "line_shifted", {"line": "row-5", "way": "left"}),
        ("bert", "evidence_drawn", {}),
        ("bert", "suspect_exonerated", {"name": "Ernest"}),
        ("anna", "area_canvassed", {"near": "no"}),
    ),
    (
        ("anna", "suspect_killed", {"name": "Zachary"}),
        ("bert", "suspect_killed", {"name": "Zachary"}),
    ),
    "You are ",
)


def _tiles_beside_the_diagonal_the_other_way_round(pile, items):
    """What lies face down on the others' places, which not even their owner knows."""
    return tuple(reversed(items)) if pile.endswith("others") else tuple(items)


TEATIME = Twins(
    "teatime",
    {"boards": "phones", "set": "ours", "first": "seat"},
    teatime_deals,
    (_plain, _tiles_beside_the_diagonal_the_other_way_round),
    (
        (
            "anna",
            "dice_rolled",
            {"roll": "t1", "dice": "teatime:1,teatime:2,teatime:2,teatime:4,teatime:glass"},
        ),
        ("anna", "rolling_stopped", {}),
        ("anna", "tile_activated", {"number": "1", "column": "1"}),
        ("bert", "passed", {}),
    ),
    (("anna", "passed", {}), ("bert", "tile_activated", {"number": "4", "column": "1"})),
    "",
)


@pytest.fixture
def world(make_table, tmp_path, monkeypatch):
    """Everything that strangers get, Anna's own page and the state, of one evening of ``twins``."""
    made = 0

    def world(twins: Twins, which: int):
        nonlocal made
        made += 1
        order = twins.orders[which]
        monkeypatch.setattr(twins.dealing, "shuffled", lambda _deal, pile, items: order(pile, items))
        table = make_table(all_games(), url=f"sqlite:///{tmp_path / f'world{made}.db'}")
        evening = Evening(table, twins.slug, None, twins.options)
        for n, (seat, word, args) in enumerate((*twins.taps, *twins.refused)):
            status = table.tap(id=f"t{n}", seat=seat, word=word, args=args).status
            assert (status == "kept") == (n < len(twins.taps)), (word, status)
        plain = Plain(evening)
        strangers = evening.strangers()
        told = {
            (who, plain(what)): plain(text)
            for who in ("guest", "Bert as host")
            for what, text in everything(strangers[who], evening.app, table)
        }
        own = visitor(evening.app, code=evening.anna.code).get("/play").get_data(as_text=True)
        return told, plain(own), table.snapshot().state

    return world


class Plain:
    """Text without what differs between any two evenings: keys, codes, the hour."""

    def __init__(self, evening):
        self.own = [(evening.game.id, "GAME"), (evening.anna.code, "CODE-A"), (evening.bert.code, "CODE-B")]

    def __call__(self, text):
        for own, plain in self.own:
            text = text.replace(own, plain)
        text = re.sub(r"pad-[0-9a-f]{10}", "PAD", text)  # made of the game's random name
        text = re.sub(r"gAAAA[\w=-]+", "SEALED", text)
        text = re.sub(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d[:.\d+Z]*", "HOUR", text)
        text = re.sub(r"\b(Set-Cookie|Date|ETag): [^\n]+", "", text)
        return re.sub(r"walk\d+", "WALK", text)


@pytest.mark.slow
@pytest.mark.parametrize("twins", [SUSPECTS, NOIR, TEATIME], ids=lambda twins: twins.slug)
def test_nobody_else_can_tell_what_anna_holds(world, twins):
    told, own, hidden = world(twins, 0)
    other, others_own, hidden_there = world(twins, 1)
    assert hidden != hidden_there, "the two evenings are alike"
    assert (own != others_own) == bool(twins.own)
    assert twins.own in own
    assert {key: text for key, text in other.items() if told[key] != text} == {}
