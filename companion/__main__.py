"""The command line: which commands there are, and how a fault is told."""

import argparse
import logging
import os
import sys
from collections.abc import Sequence

from calibration.commands import add_calibrate
from calibration.tower_sources import Sources
from companion.commands.checking import add_doctor
from companion.commands.common import PROGRAM, add_data
from companion.commands.keeping import add_kept, add_replay
from companion.commands.seeing import add_read, add_report
from companion.commands.serving import add_serve
from companion.errors import CompanionError
from companion.rules.events import Notice
from companion.settings import load
from hardware.replay_tower import add_tower
from hardware.simulate_command import add_simulate


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command. Exit status 0: done; 1: it says what is wrong; 2: the line is not understood."""
    given = _parser().parse_args(arguments)
    logging.basicConfig(
        level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s", stream=sys.stderr
    )
    try:
        return int(given.run(given))
    except CompanionError as fault:
        print(f"{PROGRAM}: {fault}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130  # as shells have it
    except BrokenPipeError:  # the reader of our output has gone, as `| head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog=PROGRAM, description="A companion for detective games at the table."
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    add_serve(commands)
    add_read(commands)
    add_replay(commands)
    add_report(commands)
    add_doctor(commands)
    add_calibrate(commands, add_data, _tower_sources)
    commands.choices["calibrate"].set_defaults(run=_act)
    add_tower(commands)
    commands.choices["tower"].set_defaults(run=_act)
    add_simulate(commands)
    commands.choices["simulate-tower"].set_defaults(run=_act)
    add_kept(commands)
    return parser


def _act(given: argparse.Namespace) -> int:
    try:
        return int(given.act(given))
    except BrokenPipeError:
        raise
    except (ValueError, OSError) as fault:
        raise CompanionError(f"{fault}") from fault


def _tower_sources(given: argparse.Namespace) -> Sources:
    from companion.tower import edge_source, sound_source  # noqa: PLC0415 - numpy takes a while

    settings = load(given.data / "companion.toml")

    def say(notice: Notice) -> None:
        print(f"{notice.text} {notice.remedy}".strip(), file=sys.stderr)

    lines, sound = edge_source(settings, given.data, say), sound_source(settings, say)
    return Sources(settings.lines, lines, sound)


if __name__ == "__main__":
    sys.exit(main())
