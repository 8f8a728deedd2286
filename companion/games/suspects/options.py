"""The switches of a game, and what they mean to the rules."""

from dataclasses import dataclass
from typing import Final

from companion.rules.game import Option, Setup

OPTIONS: Final = (
    Option(
        "secrets",
        "Where identities and files are held",
        (("cards", "On the cards of the box"), ("phones", "On the phones: the companion deals")),
        "cards",
        "On cards the companion knows only what lies open. On phones it deals; dice are enough to play.",
    ),
    Option(
        "dealer",
        "Who deals first",
        (("ask", "Asked: who watched a mystery film last?"), ("first", "The first seat")),
        "ask",
        "U1: the player who most recently watched a mystery film, else the youngest.",
    ),
    Option(
        "declare",
        "When a case may be declared solved",
        (("any", "At any moment"), ("own_turn", "Only on the own turn")),
        "any",
        "C1: the rulebook says that a roll can help others; one review stresses waiting for the own turn.",
    ),
    Option(
        "together",
        "If several have solved it",
        (("first", "One of them scores"), ("all", "All of them score")),
        "first",
        "C2: one case, one solver. Of those who call in the same moment the active player comes first.",
    ),
    Option(
        "false_call",
        "A false declaration",
        (("free", "Costs nothing"), ("forfeit", "Costs the next turn")),
        "free",
        "C4: the rulebook is silent.",
    ),
    Option(
        "identities",
        "Secret identities in the next case",
        (("new", "Dealt anew"), ("kept", "Kept")),
        "new",
        "C6: the rulebook does not say how the next case begins.",
    ),
    Option(
        "same_card",
        "Discarding the colour just taken from the discard pile",
        (("refused", "Not allowed"), ("warned", "Allowed, after a warning")),
        "refused",
        "C8: it would be a pass, and passing is not among a turn's choices.",
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
    dealer_asked: bool
    own_turn: bool
    all_score: bool
    forfeit: bool
    identities_kept: bool
    same_allowed: bool
    turn_s: float


def rules_of(setup: Setup) -> Rules:
    """The rules that these options make. Raises ValueError naming an unknown option or value."""
    known = {option.name: option for option in OPTIONS}
    for name, value in setup.options.items():
        if name not in known:
            raise ValueError(f"Unusual Suspects has no option {name!r}; it has {', '.join(known)}")
        values = [choice for choice, _ in known[name].choices]
        if value not in values:
            raise ValueError(f"{name} cannot be {value!r}; it is one of {', '.join(values)}")
    chosen = {name: setup.options.get(name, option.default) for name, option in known.items()}
    minutes = chosen["turn_timer"]
    return Rules(
        phones=chosen["secrets"] == "phones",
        dealer_asked=chosen["dealer"] == "ask",
        own_turn=chosen["declare"] == "own_turn",
        all_score=chosen["together"] == "all",
        forfeit=chosen["false_call"] == "forfeit",
        identities_kept=chosen["identities"] == "kept",
        same_allowed=chosen["same_card"] == "warned",
        turn_s=0.0 if minutes == "none" else 60.0 * int(minutes),
    )
