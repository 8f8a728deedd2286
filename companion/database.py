"""The journal's database: its tables, how it is opened, and its troubles in sentences."""

from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sqlalchemy import (
    Column,
    Connection,
    Engine,
    Float,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
    create_engine,
    event,
    insert,
    select,
    text,
)
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, DatabaseError, OperationalError, SQLAlchemyError

from companion.errors import JournalBusyError, JournalError

SCHEMA = 1
"""Raised with each change of the tables below; a newer database is left alone."""

_LOCK_KEY = 0x7AB1E
_LOCK_PATIENCE_S = 2
META = MetaData()
KEEP = Table(
    "keep", META, Column("key", String(64), primary_key=True), Column("value", Text, nullable=False)
)
SEATS = Table(
    "seats",
    META,
    Column("key", String(32), primary_key=True),
    Column("name", String(64), nullable=False),
    Column("colour", String(32), nullable=False),
    Column("code", String(16), nullable=False, unique=True),
    Column("generation", Integer, nullable=False),
    Column("place", Integer, nullable=False),
)
GAMES = Table(
    "games",
    META,
    Column("id", String(32), primary_key=True),
    Column("slug", String(64), nullable=False),
    Column("title", String(200), nullable=False),
    Column("started", String(32), nullable=False),
    Column("place", Integer, nullable=False),
    Column("ended", Integer, nullable=False),
    Column("setup", Text, nullable=False),
)
FACTS = Table(
    "facts",
    META,
    Column("game", String(32), primary_key=True),
    Column("seq", Integer, primary_key=True),
    Column("kind", String(16), nullable=False),
    Column("line", Text, nullable=False),
    Column("source", String(32), nullable=False),
    Column("confidence", Float, nullable=False),
    Column("observation", String(100), nullable=False),
    UniqueConstraint("game", "observation"),
)
READINGS = Table(
    "readings",
    META,
    Column("game", String(32), primary_key=True),
    Column("seq", Integer, primary_key=True),
    Column("reader", String(32), nullable=False),
    Column("day", String(10), nullable=False),
    Column("dice", Text, nullable=False),
)
"""Beside a fact: what a reader had said the dice were, whatever stands now. An older companion, which
does not know this table, leaves it alone."""
SEALED = Table(
    "sealed",
    META,
    Column("game", String(32), primary_key=True),
    Column("observation", String(100), primary_key=True),
    Column("token", Text, nullable=False),
)
"""Beside a fact: what its sensor knew and nobody may before the outcome, encrypted (see ``book``)."""
BOOKS = Table(
    "books", META, Column("game", String(32), primary_key=True), Column("wrapped", Text, nullable=False)
)


_REMEDIES = (
    ("malformed", "the file is damaged: start the companion, which sets it aside; check the SD card"),
    ("not a database", "the file is damaged: start the companion, which sets it aside; check the SD card"),
    ("disk is full", "the disk is full: free some space; play goes on, but nothing new is kept until then"),
    ("readonly", "the data folder is read-only: check its owner, or whether the SD card has failed"),
    ("read-only", "the data folder is read-only: check its owner, or whether the SD card has failed"),
    ("unable to open", "the data folder cannot be written: check that it exists and is yours"),
    ("locked", "another program has the database open: close it"),
    ("disk I/O", "the disk reports an error: the SD card may be failing; export your games"),
    ("connection", "the database server does not answer: check that it runs and that the address is right"),
)


@dataclass(frozen=True, slots=True)
class Database:
    """An open database, the lock that is held on it, and where a damaged one was put."""

    engine: Engine
    lock: Connection | None = None
    aside: Path | None = None

    def close(self) -> None:
        """Let go of it."""
        if self.lock is not None:
            # Else the server lets go only when it sees the connection end: too late for who starts next.
            with suppress(SQLAlchemyError):
                self.lock.execute(text("SELECT pg_advisory_unlock(:key)"), {"key": _LOCK_KEY})
            self.lock.close()
        self.engine.dispose()


def open_database(url: str, *, owner: bool = True) -> Database:
    """Open or make the database at ``url`` (``sqlite:///FILE``, ``postgresql+psycopg://...``).

    An ``owner`` holds the lock, and sets a damaged SQLite file aside and begins a new one. Raises
    JournalError with the remedy for a newer database, a read-only or full disk, a server that does
    not answer; JournalBusyError if another companion is at it.
    """
    try:
        make_url(url)
        return _opened(url, owner=owner)
    except (ArgumentError, ModuleNotFoundError) as fault:
        raise JournalError(
            "journal.url in companion.toml is no database that the companion knows: leave it out, or write "
            "postgresql+psycopg://USER:PASSWORD@HOST/DATABASE (pip install 'psycopg[binary]')"
        ) from fault
    except DatabaseError as fault:
        damaged = _sqlite_file(url)
        if damaged is None or not _is_damage(fault) or not owner:
            raise JournalError(sentence(fault, url)) from fault
        aside = _put_aside(damaged)
        return replace(_opened(url, owner=owner), aside=aside)
    except SQLAlchemyError as fault:
        raise JournalError(sentence(fault, url)) from fault


def sentence(fault: SQLAlchemyError, url: str) -> str:
    words = str(getattr(fault, "orig", None) or fault).splitlines()[0]
    where = make_url(url).render_as_string(hide_password=True)
    for part, remedy in _REMEDIES:
        if part in words:
            return f"{where}: {remedy} ({words})"
    return f"{where}: {words}"


def _opened(url: str, *, owner: bool) -> Database:
    engine = create_engine(url)
    try:
        if engine.dialect.name == "sqlite":
            event.listen(engine, "connect", _make_durable)
            with engine.connect() as connection:
                verdict = connection.execute(text("PRAGMA quick_check")).scalar()
            if verdict != "ok":
                raise DatabaseError("quick_check", None, ValueError(f"malformed: {verdict}"))
        lock = _advisory_lock(engine) if owner else None
        _check_schema(engine)
    except BaseException:
        engine.dispose()
        raise
    return Database(engine, lock)


def _make_durable(connection: Any, _: Any) -> None:
    cursor = connection.cursor()
    cursor.execute("PRAGMA journal_mode=WAL")
    cursor.execute("PRAGMA synchronous=FULL")
    cursor.execute("PRAGMA busy_timeout=5000")
    cursor.close()


def _advisory_lock(engine: Engine) -> Connection | None:
    """Hold PostgreSQL's advisory lock; for SQLite the data folder's lock file serves."""
    if engine.dialect.name != "postgresql":
        return None
    connection = engine.connect()
    try:
        # The server may take a moment to notice that a companion which was killed has gone.
        connection.execute(text(f"SET lock_timeout = '{_LOCK_PATIENCE_S}s'"))
        connection.execute(text("SELECT pg_advisory_lock(:key)"), {"key": _LOCK_KEY})
    except OperationalError as fault:
        connection.close()
        raise JournalBusyError(
            "another companion is using this database; stop it first, or give this one its own"
        ) from fault
    connection.commit()
    return connection


def _check_schema(engine: Engine) -> None:
    with engine.begin() as connection:
        tables = engine.dialect.get_table_names(connection)
        if "keep" in tables:
            found = connection.execute(select(KEEP.c.value).where(KEEP.c.key == "schema")).scalar()
            if found is not None and int(found) > SCHEMA:
                raise JournalError(
                    f"the games here were kept by a newer companion (format {found}; this one knows "
                    f"{SCHEMA}). Nothing was changed. Update this companion, or name another --data folder"
                )
        META.create_all(connection)
        if connection.execute(select(KEEP.c.value).where(KEEP.c.key == "schema")).scalar() is None:
            connection.execute(insert(KEEP).values(key="schema", value=str(SCHEMA)))


def _sqlite_file(url: str) -> Path | None:
    parsed = make_url(url)
    if parsed.get_backend_name() != "sqlite" or not parsed.database or parsed.database == ":memory:":
        return None
    return Path(parsed.database)


def _is_damage(fault: SQLAlchemyError) -> bool:
    return any(words in str(fault) for words in ("malformed", "not a database", "disk image"))


def _put_aside(damaged: Path) -> Path:
    stamp = datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
    aside = damaged.with_name(f"{damaged.stem}.damaged-{stamp}{damaged.suffix}")
    for ending in ("", "-wal", "-shm"):
        part = damaged.with_name(damaged.name + ending)
        if part.exists():
            part.rename(aside.with_name(aside.name + ending))
    return aside
