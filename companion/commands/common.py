"""What several commands take."""

import argparse
import os
from pathlib import Path
from typing import Final, TypeAlias

PROGRAM: Final = "companion"
Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"  # noqa: SLF001 - it has no public name


def add_data(parser: argparse.ArgumentParser) -> None:
    """Add ``--data``, the folder where everything is kept."""
    home = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
    parser.add_argument(
        "--data",
        type=Path,
        default=home / "table-companion",
        metavar="DIR",
        help="folder of games, keys and companion.toml (%(default)s)",
    )


def number(text: str) -> int:
    """A number of facts. Raises ArgumentTypeError for anything else."""
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of facts: 0 or more")
    return int(text)


def port(text: str) -> int:
    """A port, 0 to 65535. Raises ArgumentTypeError for anything else."""
    if not text.isdecimal() or not 0 <= int(text) <= 65535:
        raise argparse.ArgumentTypeError(
            f"{text!r} is not a port: a number up to 65535, 0 for any free one"
        )
    return int(text)
