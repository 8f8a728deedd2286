"""The switches of a game, and what they mean to the rules."""

from dataclasses import dataclass
from typing import Final

from companion.rules.game import Option, Setup

OPTIONS: Final = (
    Option(
        "boards",
        "Where the house boards are",
        (
            ("table", "On the table: the box, or tiles of your own"),
            ("phones", "On the phones: the companion deals"),
        ),
        "table",
        "On the phones five dice are enough to play; what lies face down is known to nobody.",
    ),
    Option(
        "keep",
        "A picture of each board on its player's phone",
        (
            ("picture", "Yes: tap what you turn up and where you move it"),
            ("counts", "No: only the choices, and tokens counted by tap"),
        ),
        "picture",
        "With the picture the companion checks beams, tokens and points. Boards on phones always have it.",
    ),
    Option(
        "set",
        "Whose tiles",
        (
            ("box", "The box: its beams and lit sides are told once, and kept"),
            ("ours", "A stand-in set of ours"),
        ),
        "box",
        "Which ways the box's detectives and thieves look is not public. Ours can be played at once.",
    ),
    Option(
        "first",
        "Who goes first",
        (("ask", "Asked"), ("seat", "The first seat")),
        "ask",
        "T1: the players choose.",
    ),
    Option(
        "timer",
        "Seconds for those who explore at the same time",
        (("none", "None"), ("30", "30"), ("60", "60"), ("90", "90")),
        "none",
        "Not in the rulebook. It only says when the time is up: nothing is taken away.",
    ),
)


@dataclass(frozen=True, slots=True)
class Rules:
    """The options as the rules use them. ``timer_s`` 0 runs no timer."""

    phones: bool
    picture: bool
    ours: bool
    asked: bool
    timer_s: float


def rules_of(setup: Setup) -> Rules:
    """The rules that these options make. Raises ValueError naming an unknown option or value."""
    known = {option.name: option for option in OPTIONS}
    for name, value in setup.options.items():
        if name not in known:
            raise ValueError(f"Tea Time Crime has no option {name!r}; it has {', '.join(known)}")
        values = [choice for choice, _ in known[name].choices]
        if value not in values:
            raise ValueError(f"{name} cannot be {value!r}; it is one of {', '.join(values)}")
    chosen = {name: setup.options.get(name, option.default) for name, option in known.items()}
    phones, seconds = chosen["boards"] == "phones", chosen["timer"]
    return Rules(
        phones=phones,
        picture=phones or chosen["keep"] == "picture",
        ours=chosen["set"] == "ours",
        asked=chosen["first"] == "ask",
        timer_s=0.0 if seconds == "none" else float(seconds),
    )
