"""Kill -9 a table under load, again and again, and look at what is left.

    python killing.py FOLDER KILLS SEED

A child folds throws from four threads and writes the id of each to a pipe once it is acknowledged.
The parent kills it at a random moment, reopens the journal and checks that every acknowledged fact
is there, once, and in the state.
"""

import os
import random
import signal
import sys
import time
from itertools import count
from pathlib import Path
from threading import Thread

sys.path.insert(0, str(Path(__file__).parents[1]))

from cryptography.fernet import Fernet

from companion.journal import Journal
from companion.rules.events import DiceRolled, DieFace, Observation, Seconds
from companion.seal import Seal
from companion.table import Table
from dash import GAME

KEY = Fernet.generate_key()
ONE_ONE = (DieFace("white", "1"), DieFace("white", "1"))
FACTS_A_GAME = 1000
AT_START = 0.2


def opened(folder: Path) -> tuple[Table, Journal]:
    journal = Journal.open(f"sqlite:///{folder / 'killed.db'}")
    return Table(journal, {"dash": GAME}, seal=Seal(KEY)), journal


def fresh_game(table: Table) -> None:
    seats = table.snapshot().seats or (table.join("Anna"),)
    table.start_game(slug="dash", title="", seats=(seats[0].key,), options={"goal": "1000000000"})


def under_load(folder: Path, pipe: int, life: int) -> None:
    table, _ = opened(folder)
    if table.snapshot().game is None or table.snapshot().game.facts > FACTS_A_GAME:
        fresh_game(table)
    os.write(pipe, f"game {table.snapshot().game.id}\n".encode())

    def throw(thread: int) -> None:
        for n in count():
            roll = f"{life}-{thread}-{n}"
            event = DiceRolled(at=Seconds(0.0), roll=roll, dice=ONE_ONE)
            receipt = table.submit(Observation(id=roll, event=event, source="camera"))
            assert receipt.status == "kept", receipt
            os.write(pipe, f"{roll}\n".encode())

    threads = [Thread(target=throw, args=(n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def live_and_die(folder: Path, life: int, chance: random.Random) -> list[str]:
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        under_load(folder, writing, life)
        os._exit(3)
    os.close(writing)
    told = b""
    if chance.random() > AT_START:  # most die under load, some while they open the journal
        told = os.read(reading, 1)
    end = time.monotonic() + chance.uniform(0.0, 0.06)
    while time.monotonic() < end:
        pass
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    with os.fdopen(reading, "rb") as pipe:
        lines = (told + pipe.read()).decode().split("\n")
    return lines[:-1]


def main() -> int:
    folder, kills, chance = Path(sys.argv[1]), int(sys.argv[2]), random.Random(int(sys.argv[3]))
    acknowledged: dict[str, list[str]] = {}
    longest_s, total = 0.0, 0
    for life in range(kills):
        lines = live_and_die(folder, life, chance)
        if lines:
            acknowledged.setdefault(lines[0].removeprefix("game "), []).extend(lines[1:])
        began = time.monotonic()
        table, journal = opened(folder)
        longest_s = max(longest_s, time.monotonic() - began)
        shown = table.snapshot()
        if shown.game is not None:
            told = [entry.observation for entry in journal.rows(shown.game.id)]
            want = acknowledged.get(shown.game.id, [])
            lost = set(want) - set(told)
            assert not lost, f"life {life}: lost {lost}"
            assert len(told) == len(set(told)), f"life {life}: doubled"
            assert shown.state.scores[0] == 2 * len(told), f"life {life}: state and rows differ"
        table.close()
        journal.close()
    total = sum(map(len, acknowledged.values()))
    print(f"{kills} kills, {total} acknowledged facts, none lost, none doubled")
    print(f"longest reopening {longest_s:.3f} s")
    return 0 if total > kills and longest_s < 3 else 1


if __name__ == "__main__":
    sys.exit(main())
