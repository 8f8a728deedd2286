"""The switches of a game, and what they mean to the rules."""

from dataclasses import dataclass
from typing import Final

from companion.rules.game import Option, Setup

OPTIONS: Final = (
    Option(
        "training",
        "Training: ears against sensors",
        (("no", "No: the tower keeps its secret"), ("yes", "Yes: open, and marked on every screen")),
        "no",
        "Where cubes land is what the game is played for. A training opens it on purpose.",
    ),
    Option(
        "knife",
        "Who throws the victims",
        (("ask", "Asked: who last held a knife?"), ("first", "The first seat")),
        "ask",
        "A2: the player who was the last to hold a knife.",
    ),
    Option(
        "hotel",
        "Who begins Act I",
        (
            ("ask", "Asked: who was last inside a hotel?"),
            ("knife", "Who threw the victims"),
            ("first", "The first seat"),
        ),
        "ask",
        "A4: whoever was the last person inside a hotel.",
    ),
    Option(
        "cover_without_clues",
        "Covering tracks with none of your clues on the sheet",
        (("forbidden", "Not allowed"), ("warn", "Allowed, after a warning")),
        "forbidden",
        "C8: the rulebook opens with 'if there are any of your own clues on the sheet'; without that "
        "covering would be a free pass.",
    ),
    Option(
        "turn_timer",
        "Minutes for a turn",
        (("none", "None"), ("1", "1"), ("2", "2"), ("3", "3")),
        "none",
        "Not in the rulebook. It only says when the time is up: nothing is taken away.",
    ),
    Option(
        "colours",
        "Who plays which colour",
        (("kept", "As on the last evening"), ("seats", "By the order of seats")),
        "kept",
        "Either way a tap before the first throw changes it.",
    ),
)


@dataclass(frozen=True, slots=True)
class Rules:
    """The options as the rules use them. ``turn_s`` 0 runs no timer."""

    training: bool
    knife_asked: bool
    hotel: str
    bare_cover: bool
    turn_s: float
    colours_kept: bool


def rules_of(setup: Setup) -> Rules:
    """The rules that these options make. Raises ValueError naming an unknown option or value."""
    known = {option.name: option for option in OPTIONS}
    for name, value in setup.options.items():
        if name not in known:
            raise ValueError(f"Mord im Arosa has no option {name!r}; it has {', '.join(known)}")
        values = [choice for choice, _ in known[name].choices]
        if value not in values:
            raise ValueError(f"{name} cannot be {value!r}; it is one of {', '.join(values)}")
    chosen = {name: setup.options.get(name, option.default) for name, option in known.items()}
    minutes = chosen["turn_timer"]
    return Rules(
        training=chosen["training"] == "yes",
        knife_asked=chosen["knife"] == "ask",
        hotel=chosen["hotel"],
        bare_cover=chosen["cover_without_clues"] == "warn",
        turn_s=0.0 if minutes == "none" else 60.0 * int(minutes),
        colours_kept=chosen["colours"] == "kept",
    )
