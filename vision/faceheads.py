"""What the network says of one crop: the order and meaning of its numbers. Pure."""

SYMBOLS: tuple[str, ...] = (
    "none",
    *(f"pips{n}" for n in range(1, 7)),
    *(f"digit{n}" for n in range(1, 7)),
    "glass",
    "fingerprint",
)
"""What lies in the middle of a crop; ``none``: no upper face of a die."""

COLOURS: tuple[str, ...] = ("green", "red", "yellow", "blue", "brown", "purple")
"""The faces of a fingerprint die."""

STATES: tuple[str, ...] = ("flat", "cocked", "stacked", "covered", "cut")
SHAPE = 6
"""Middle (x, y), then Re and Im of ``p*p + q*q`` and of ``(p*q)**2``, all in sides of the face:
``p`` and ``q`` are the half axes of the face as complex numbers, and turning the die by a quarter
changes none of these, so there is no angle at which they jump."""

WIDTHS: tuple[int, ...] = (len(SYMBOLS), len(COLOURS), 1, len(STATES), SHAPE)
"""Numbers of the heads: symbols, colours, white body, states (logits all), shape."""

EMBEDDING = 64
"""Numbers before the heads: dice that look alike have them alike."""
