"""The switches of a game, and what they mean to the rules."""

from dataclasses import dataclass
from typing import Final

from companion.rules.game import Option, Setup

OPTIONS: Final = (
    Option(
        "secrets",
        "Where identities and evidence are held",
        (("cards", "On the cards of the box"), ("phones", "On the phones: the companion deals")),
        "cards",
        "On cards the companion knows only what lies open. On phones it deals and checks every action.",
    ),
    Option(
        "mode",
        "Mode",
        (("standard", "Standard: innocent cards on the grid"), ("classic", "Classic")),
        "standard",
        "N10s, N11 to N13: the standard mode of the rulebook; without it, its main part.",
    ),
    Option(
        "canvass",
        "Canvassing in the standard mode",
        (("on", "After exonerating, and after killing an innocent"), ("off", "Never")),
        "on",
        "N12, N13: whether a hidden identity is next to the suspect. The classic mode has none.",
    ),
    Option(
        "target",
        "Deceased suspects with which the killer wins",
        (("16", "16"), ("14", "14"), ("10", "10")),
        "16",
        "N16: the rulebook says 16, the box of 2014 prints 14, a newer small box 10.",
    ),
    Option(
        "old_identity",
        "The old identity after a disguise in the classic mode",
        (("deceased", "Turned to the deceased side"), ("innocent", "Marked innocent")),
        "deceased",
        "C12: the rulebook says deceased; other pages describe innocent.",
    ),
    Option(
        "collapse",
        "Deceased suspects leave the grid",
        (("auto", "Whenever a whole line is deceased"), ("action", "By an action: one of each line")),
        "auto",
        "N15; the Black Box has collapsing as an action of either player instead.",
    ),
    Option(
        "draws",
        "When the inspector draws four cards",
        (("before", "Before the first kill"), ("after", "In the inspector's first turn")),
        "before",
        "C22: the odds are the same.",
    ),
    Option(
        "killer",
        "Who is the killer",
        (("ask", "Asked"), ("lot", "Drawn by lot"), ("first", "The first seat")),
        "ask",
        "The rulebook of 2012 decides at random.",
    ),
    Option(
        "layout",
        "How the suspects lie",
        (("alphabetical", "In alphabetical order"), ("shuffled", "Shuffled"), ("entered", "Tapped in")),
        "alphabetical",
        "The rulebook leaves it open: alphabetical is easiest to find, other tables lie at random.",
    ),
    Option(
        "turn_timer",
        "Minutes for a turn",
        (("none", "None"), ("1", "1"), ("2", "2"), ("3", "3")),
        "none",
        "Not in the rulebook. It only says when the time is up: nothing is taken away.",
    ),
)


@dataclass(frozen=True, slots=True)
class Rules:
    """The options as the rules use them. ``turn_s`` 0 runs no timer."""

    phones: bool
    standard: bool
    canvass: bool
    target: int
    old_dies: bool
    by_action: bool
    draws_after: bool
    killer: str
    layout: str
    turn_s: float


def rules_of(setup: Setup) -> Rules:
    """The rules that these options make. Raises ValueError naming an unknown option or value."""
    known = {option.name: option for option in OPTIONS}
    for name, value in setup.options.items():
        if name not in known:
            raise ValueError(f"Noir has no option {name!r}; it has {', '.join(known)}")
        values = [choice for choice, _ in known[name].choices]
        if value not in values:
            raise ValueError(f"{name} cannot be {value!r}; it is one of {', '.join(values)}")
    chosen = {name: setup.options.get(name, option.default) for name, option in known.items()}
    standard, minutes = chosen["mode"] == "standard", chosen["turn_timer"]
    return Rules(
        phones=chosen["secrets"] == "phones",
        standard=standard,
        canvass=standard and chosen["canvass"] == "on",
        target=int(chosen["target"]),
        old_dies=not standard and chosen["old_identity"] == "deceased",
        by_action=chosen["collapse"] == "action",
        draws_after=chosen["draws"] == "after",
        killer=chosen["killer"],
        layout=chosen["layout"],
        turn_s=0.0 if minutes == "none" else 60.0 * int(minutes),
    )
