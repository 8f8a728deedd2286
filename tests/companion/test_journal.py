"""The journal: what happens to it on a bad disk, and in bad company."""

import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import event, text

from companion.database import SCHEMA
from companion.datafolder import DataFolder
from companion.errors import JournalBusyError, JournalError
from companion.evening import Entry
from companion.journal import GameRecord, Journal
from companion.rules.events import Seat
from companion.rules.game import Setup
from companion.seal import Seal

GAME = GameRecord(
    "g1",
    "dash",
    "Evening",
    "2026-11-29T20:00:00+00:00",
    Setup((Seat("anna"),), {"a": "b"}, "d", {"k": "v"}),
)


def entry(seq, observation=None):
    return Entry(seq, "event", f"{seq}.0 anna passed", "hand", observation or f"o{seq}")


@pytest.fixture
def url(tmp_path):
    return f"sqlite:///{tmp_path / 'j.db'}"


@pytest.fixture
def journal(url):
    opened = Journal.open(url)
    yield opened
    opened.close()


def check_keeps_everything(journal):
    journal.begin(GAME)
    assert journal.append("g1", entry(1))
    assert journal.append("g1", entry(2))
    assert journal.append("g1", entry(3, observation="o2")) is False
    assert journal.rows("g1") == (entry(1), entry(2))
    assert journal.game("g1") == replace(GAME, rows=2)
    journal.keep("k", "1")
    journal.keep("k", "2")
    assert journal.kept("k") == "2"
    with pytest.raises(JournalError):
        journal.append("g1", entry(2, observation="other"))


def test_rows_come_back_as_they_were_written_and_once(journal):
    check_keeps_everything(journal)


def test_sqlite_is_set_to_survive_a_power_cut(journal):
    with journal.engine.connect() as connection:
        assert connection.execute(text("PRAGMA journal_mode")).scalar() == "wal"
        assert connection.execute(text("PRAGMA synchronous")).scalar() == 2


def test_a_full_disk_is_told_and_nothing_is_lost(journal):
    journal.begin(GAME)
    journal.append("g1", entry(1))
    with journal.engine.connect() as connection:
        pages = connection.execute(text("PRAGMA page_count")).scalar()
        connection.execute(text(f"PRAGMA max_page_count={pages}"))
    long = [replace(entry(seq), line="x" * 2000) for seq in range(2, 400)]
    with pytest.raises(JournalError, match="disk is full: free some space"):
        assert all(journal.append("g1", row) for row in long)
    kept = len(journal.rows("g1"))
    assert kept >= 1
    with journal.engine.connect() as connection:
        connection.execute(text("PRAGMA max_page_count=1000000"))
    assert journal.append("g1", entry(1000))
    assert len(journal.rows("g1")) == kept + 1


def test_a_full_disk_refuses_the_tap_and_shows_a_notice(make_table):
    table = make_table()
    seat = table.join("Anna").key
    table.start_game(slug="dash", title="", seats=(seat,), options={})
    engine = table._journal.engine
    with engine.connect() as connection:
        pages = connection.execute(text("PRAGMA page_count")).scalar()
        connection.execute(text(f"PRAGMA max_page_count={pages}"))
    receipts = [
        table.tap(id=f"n{n}", seat=seat, word="whispered", args={"text": "x" * 3000}, seen=0)
        for n in range(9)
    ]
    refused = [receipt for receipt in receipts if receipt.status == "refused"]
    assert refused
    assert "free some space" in refused[0].text
    kept = len(receipts) - len(refused)
    assert len(table.snapshot().state.whispers) == kept
    assert table.snapshot().notices[0].source == "journal"
    with engine.connect() as connection:
        connection.execute(text("PRAGMA max_page_count=1000000"))
    assert table.tap(id="later", seat=seat, word="passed", args={}, seen=0).status == "kept"
    assert table.snapshot().notices == ()


def test_a_damaged_database_is_set_aside_and_a_new_one_begun(tmp_path, url):
    Path(tmp_path / "j.db").write_bytes(b"SQLite format 3\0" + b"rubbish" * 2000)
    journal = Journal.open(url)
    try:
        assert journal.games() == ()
        assert journal.set_aside is not None
        assert journal.set_aside.read_bytes().startswith(b"SQLite format 3\0rubbish")
    finally:
        journal.close()


def test_a_damaged_database_is_left_where_it_is_by_those_who_only_look(tmp_path, url):
    file = tmp_path / "j.db"
    file.write_bytes(b"SQLite format 3\0" + b"rubbish" * 2000)
    with pytest.raises(JournalError, match="damaged: start the companion"):
        Journal.open(url, owner=False)
    assert file.exists()


def test_a_newer_database_is_left_alone(tmp_path, url):
    Journal.open(url).close()
    with sqlite3.connect(tmp_path / "j.db") as connection:
        connection.execute("UPDATE keep SET value = ? WHERE key = 'schema'", (str(SCHEMA + 1),))
    connection.close()
    with pytest.raises(JournalError, match="kept by a newer companion"):
        Journal.open(url)


def test_a_folder_that_cannot_be_written_is_named(tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    with pytest.raises(JournalError, match="--data"):
        DataFolder.open(blocked / "data")


def test_a_second_companion_on_the_same_folder_is_told_who_holds_it(tmp_path):
    first = DataFolder.open(tmp_path)
    try:
        with pytest.raises(JournalBusyError, match=r"process \d+"):
            DataFolder.open(tmp_path)
        assert first.host_pin() == first.host_pin()
        assert len(first.host_pin()) == 4
        assert first.secret_key() == first.secret_key()
    finally:
        first.close()
    DataFolder.open(tmp_path).close()


@pytest.mark.slow
@pytest.mark.parametrize("kills", [60, pytest.param(500, marks=pytest.mark.soak)])
def test_no_acknowledged_fact_is_lost_by_kill_9(tmp_path, kills):
    script = Path(__file__).with_name("killing.py")
    told = subprocess.run(
        [sys.executable, str(script), str(tmp_path), str(kills), "2026"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert told.returncode == 0, told.stdout + told.stderr
    assert f"{kills} kills" in told.stdout
    print(told.stdout)


@pytest.fixture(scope="module")
def postgres():
    """A PostgreSQL of our own; its user may not enter a folder of pytest's, which are root's alone."""
    binaries = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    if not binaries:
        pytest.skip("no PostgreSQL here: apt install postgresql")
    with tempfile.TemporaryDirectory(prefix="table-pg-") as folder:
        yield from _served(binaries[-1].parent, Path(folder))


def _served(binary, home):
    as_user = []
    if os.geteuid() == 0 and shutil.which("runuser"):
        shutil.chown(home, "postgres")
        as_user = ["runuser", "-u", "postgres", "--"]
    run = [*as_user, str(binary / "pg_ctl"), "-D", str(home / "db"), "-w", "-l", str(home / "log")]
    options = f"-c listen_addresses='' -k {home}"
    subprocess.run(
        [*as_user, str(binary / "initdb"), "-D", str(home / "db"), "-U", "us"],
        check=True,
        capture_output=True,
    )
    subprocess.run([*run, "-o", options, "start"], check=True, stdout=subprocess.DEVNULL)
    yield f"postgresql+psycopg://us@/postgres?host={home}"
    subprocess.run([*run, "-m", "immediate", "stop"], check=True, stdout=subprocess.DEVNULL)


@pytest.mark.postgres
@pytest.mark.slow
def test_the_same_code_runs_on_postgresql(postgres, make_table):
    journal = Journal.open(postgres)
    check_keeps_everything(journal)
    with pytest.raises(JournalBusyError, match="another companion is using this database"):
        Journal.open(postgres)
    looking = Journal.open(postgres, owner=False)
    assert len(looking.games()) == 1
    looking.close()
    journal.close()
    table = make_table(url=postgres)
    seat = table.join("Anna").key
    table.start_game(slug="dash", title="", seats=(seat,), options={})
    assert table.tap(id="t", seat=seat, word="passed", args={}, seen=0).status == "kept"
    table = make_table(url=postgres)
    assert table.tap(id="t", seat=seat, word="passed", args={}, seen=0).status == "again"
    assert len(table.snapshot().history) == 1


@pytest.mark.parametrize("url", ["rubbish", "mysql://us@host/games", "postgresql+nodriver://us@host/games"])
def test_a_database_that_nobody_knows_is_told_how_to_write_one(url):
    with pytest.raises(JournalError, match=r"postgresql\+psycopg://"):
        Journal.open(url)


def test_a_game_that_is_brought_in_is_kept_whole_or_not_at_all(journal):
    with pytest.raises(JournalError):
        journal.begin(GAME, [entry(1), entry(2), entry(2)])
    assert journal.games() == ()
    journal.begin(replace(GAME, ended=True), [entry(1), entry(2)])
    assert journal.games() == (replace(GAME, ended=True, rows=2),)


@pytest.mark.parametrize("name", ["seal.key", "host.pin", "cookie.key"])
def test_a_damaged_key_is_named_with_what_to_do(tmp_path, name):
    (tmp_path / name).write_bytes(b"\xff\xfe")
    folder = DataFolder.open(tmp_path)
    try:
        with pytest.raises(JournalError, match=rf"{name} is damaged: (put it back|remove it)"):
            _ = (Seal.at(folder.seal_file), folder.host_pin(), folder.secret_key())
    finally:
        folder.close()


@pytest.mark.parametrize("name", ["seal.key", "host.pin", "cookie.key"])
def test_an_empty_key_is_made_anew(tmp_path, name):
    (tmp_path / name).write_bytes(b"\n")
    folder = DataFolder.open(tmp_path)
    try:
        _ = (Seal.at(folder.seal_file), folder.host_pin(), folder.secret_key())
        assert len((tmp_path / name).read_text().strip()) >= 4
    finally:
        folder.close()


def test_every_way_to_change_the_table_answers_a_disk_that_takes_nothing_with_a_sentence(make_table):
    table = make_table()
    anna = table.join("Anna")
    game = table.start_game(slug="dash", title="", seats=(anna.key,), options={})
    exported = table.export(game.id)
    before = table.snapshot()
    event.listen(table._journal.engine, "checkout", lambda raw, *_: raw.execute("PRAGMA query_only=ON"))
    for act in (
        lambda: table.join("Bert"),
        lambda: table.rename_seat(anna.key, "Anne"),
        lambda: table.renew_seat(anna.key),
        lambda: table.remove_seat(anna.key),
        lambda: table.start_game(slug="dash", title="", seats=(anna.key,), options={}),
        lambda: table.open_game(game.id),
        table.close_game,
        lambda: table.import_game(exported),
    ):
        with pytest.raises(JournalError, match="read-only: check its owner"):
            act()
    assert table.pause().status == "refused"
    after = table.snapshot()
    assert (after.seats, after.game, after.state, after.paused) == (
        before.seats,
        before.game,
        before.state,
        False,
    )
    assert [notice.source for notice in after.notices] == ["journal"]
