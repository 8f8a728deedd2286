"""``companion simulate-tower``: write recordings of a rehearsed tower, with their truth.

numpy takes a while to import, so the command imports what it needs.
"""

import argparse
from pathlib import Path
from typing import Any

_ALL = "all"
_NOISES = "bump, knock, hand, speech, music, keyboard, lift, blocked, chatter"


def add_simulate(commands: Any) -> None:
    """Add the command to ``commands`` (what ``add_subparsers`` gave).

    Its ``act`` takes the parsed arguments and returns the exit status 0, or raises ValueError with a
    sentence.
    """
    text = "write what the lines and the microphone of a rehearsed tower give, with the truth"
    simulate = commands.add_parser("simulate-tower", help=text, description=text)
    add = simulate.add_argument
    add(
        "--profile",
        default="BASE",
        metavar="NAME",
        help="BASE, LOOSE, TIGHT, JOGGED, GROUNDY or BIG (BASE)",
    )
    add("--seed", type=int, default=0, metavar="N", help="the same seed gives the same files (0)")
    add("--drops", type=int, default=20, metavar="N", help="number of cubes (20)")
    add(
        "--out",
        type=Path,
        required=True,
        metavar="DIR",
        help="folder of edges.jsonl, sound.wav, truth.jsonl",
    )
    add("--beams", default=_ALL, metavar="7,5,2", help="plates with a beam; 7 is the entry (all)")
    add("--paired", action="store_true", help="two beams at each plate, the second named entry_b, floor5_b")
    add("--gap", type=float, metavar="S", help="seconds between two releases (random, 1 to 3)")
    add("--noise", default="", metavar="NAME", help=f"one of {_NOISES}")
    add("--seconds", type=float, default=0.0, metavar="S", help="at least so long, also without cubes")
    add("--rate", type=int, default=48000, metavar="HZ", help="samples a second of the sound (48000)")
    add("--no-sound", action="store_true", help="no sound.wav: there is no waveform microphone")
    add("--no-module", action="store_true", help="no line mic: there is no threshold sound module")
    add(
        "--anew",
        action="store_true",
        help="put the tower together anew, by the seed: other shifts of its plates",
    )
    simulate.set_defaults(act=simulate_tower)


def simulate_tower(given: argparse.Namespace) -> int:
    """Make one recording and say what is in it. Raises SimulationError, a ValueError."""
    from hardware.simulate import GAP_S, Plan, record, save  # noqa: PLC0415 - see above

    made = record(
        Plan(
            profile=given.profile,
            seed=given.seed,
            drops=given.drops,
            beams=_plates(given.beams),
            paired=given.paired,
            sound=not given.no_sound,
            module=not given.no_module,
            gap_s=(given.gap, given.gap) if given.gap is not None else GAP_S,
            noise=given.noise,
            rate=given.rate,
            seconds=given.seconds,
            anew=given.anew,
        )
    )
    save(made, given.out)
    others = f", {len(made.noises)} times {given.noise}" if given.noise else ""
    print(f"{given.out}: {len(made.drops)} cubes{others} in {made.seconds:.1f} s.")
    return 0


def _plates(text: str) -> tuple[int, ...]:
    """Read plates as they are written on the command line.

    >>> _plates("7,5,2"), _plates("all"), _plates("none")
    ((7, 5, 2), (7, 6, 5, 4, 3, 2, 1, 0), ())
    """
    from hardware.simulate import ALL_BEAMS, SimulationError  # noqa: PLC0415 - see above

    if text in {_ALL, "none"}:
        return ALL_BEAMS if text == _ALL else ()
    names = [name.strip() for name in text.split(",")]
    if not all(name.isdecimal() for name in names):
        raise SimulationError(f"--beams {text}: write plates with commas between, such as 7,5,2, or all.")
    return tuple(map(int, names))
