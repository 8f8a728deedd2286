"""The switches of a game, and what they mean to the rules."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from companion.games.moss import catalogue
from companion.rules.game import Option, Setup

STANDARD_MINUTES: Final = 45
"""What the adaptive level starts from when nothing was played before (M37, Detective)."""

_YES_NO = (("yes", "Yes"), ("no", "No"))
_NUMBERS = tuple((str(n), str(n)) for n in range(1, 7))
_ASKED = (("ask", "As printed"), *_NUMBERS, ("free", "None: no dice needed"))

OPTIONS: Final = (
    Option(
        "pieces",
        "Tiles and tokens",
        (("dealt", "The companion deals its own"), ("mine", "Our box lies on the table")),
        "dealt",
        "The printed tiles are not public. With the box the table says what it turns up; without it the "
        "companion deals a stand-in set, so that dice are enough to play.",
    ),
    Option(
        "level",
        "Minutes at the start",
        (
            ("60", "Rookie: 60"),
            ("45", "Detective: 45"),
            ("30", "Super Sleuth: 30"),
            ("adaptive", "Follows from the last game"),
        ),
        "45",
        "Rulebook, It's Just a Matter of Time (M37, M38).",
    ),
    Option(
        "coloured_six_adds",
        "A used coloured 6 costs the extra minute too",
        _YES_NO,
        "yes",
        "C2: the rulebook counts every 6 die on the player board.",
    ),
    Option(
        "tile_six_exists",
        "Some tiles show a 6",
        _YES_NO,
        "no",
        "C1: no tile with a 6 is known. If there is one, only dice showing 6 match it, each at a minute.",
    ),
    Option(
        "warrant_on_reexamine",
        "The Search Warrant also helps to re-examine",
        _YES_NO,
        "yes",
        "C14: re-examining asks for the same dice 'again'.",
    ),
    Option(
        "loss_counts_unplaced",
        "After a loss, unplaced suspects count for the next start",
        _YES_NO,
        "no",
        "C31: the rulebook counts active suspects 'on the board'.",
    ),
    Option(
        "police_car_number",
        "Number on the Police Car",
        _ASKED,
        "ask",
        "C24: the last step is an ordinary move; if no number is printed it needs no dice.",
    ),
    Option(
        "scene_number",
        "Number on the Scene of the Crime",
        _ASKED,
        "ask",
        "C24, likewise for walking back to the Scene of the Crime.",
    ),
    Option(
        "suspect_choice",
        "Which suspect comes to a revealed tile",
        (("drawn", "The next of the mixed row"), ("chosen", "The players choose")),
        "drawn",
        "C21: suspects are mixed, so the next is as good as drawn. If your tiles print names, choose.",
    ),
    Option(
        "passage_token_number",
        "Number on the Secret Passageway token",
        _NUMBERS,
        str(catalogue.PASSAGE_TOKEN_NUMBER),
        "The token's own number is not known from the rulebook; it counts in the minutes of M19.",
    ),
)


@dataclass(frozen=True, slots=True)
class Rules:
    """The options as the rules use them. A number None is asked at the table, 0 needs no dice."""

    dealt: bool
    coloured_six_adds: bool
    tile_six_exists: bool
    warrant_on_reexamine: bool
    loss_counts_unplaced: bool
    car_number: int | None
    scene_number: int | None
    suspect_chosen: bool
    passage_token: int


def chosen(setup: Setup) -> dict[str, str]:
    """Every option's value. Raises ValueError naming an unknown option or value."""
    known = {option.name: option for option in OPTIONS}
    for name, value in setup.options.items():
        if name not in known:
            raise ValueError(f"Inspector Moss has no option {name!r}; it has {', '.join(known)}")
        values = [choice for choice, _ in known[name].choices]
        if value not in values:
            raise ValueError(f"{name} cannot be {value!r}; it is one of {', '.join(values)}")
    return {name: setup.options.get(name, option.default) for name, option in known.items()}


def rules_of(values: Mapping[str, str]) -> Rules:
    """The rules that these values of all options make."""
    dealt = values["pieces"] == "dealt"
    return Rules(
        dealt=dealt,
        coloured_six_adds=values["coloured_six_adds"] == "yes",
        tile_six_exists=values["tile_six_exists"] == "yes",
        warrant_on_reexamine=values["warrant_on_reexamine"] == "yes",
        loss_counts_unplaced=values["loss_counts_unplaced"] == "yes",
        car_number=_number(values["police_car_number"], catalogue.CAR_NUMBER if dealt else None),
        scene_number=_number(values["scene_number"], catalogue.SCENE_TILE.number if dealt else None),
        suspect_chosen=not dealt or values["suspect_choice"] == "chosen",
        passage_token=int(values["passage_token_number"]),
    )


def start_minutes(level: str, carried: Mapping[str, str]) -> int:
    """What the time marker starts on (M3, M37, M38). Raises ValueError naming a bad carried value."""
    if level != "adaptive":
        return int(level)
    text = carried.get("next_start", str(STANDARD_MINUTES))
    if not text.isdecimal() or int(text) < 1:
        raise ValueError(f"next_start cannot be {text!r}: it is the minutes of the next start, 1 or more")
    return int(text)


def _number(value: str, printed: int | None) -> int | None:
    if value == "ask":
        return printed
    return 0 if value == "free" else int(value)
