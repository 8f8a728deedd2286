"""The evening on disk: append-only rows in SQLite, or in PostgreSQL by URL.

A row is durable once ``append`` returns (SQLite in WAL mode with synchronous FULL). Nothing is ever
updated in ``facts``: undo and amendments are rows too.
"""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
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
    delete,
    event,
    func,
    insert,
    select,
    text,
    update,
)
from sqlalchemy.engine import make_url
from sqlalchemy.exc import DatabaseError, IntegrityError, SQLAlchemyError

from companion.clock import wall_time
from companion.errors import GameNotFoundError, JournalBusyError, JournalError
from companion.evening import Entry
from companion.rules.events import Seat
from companion.rules.game import Setup
from companion.snapshot import SeatInfo

SCHEMA = 1
"""Raised with each change of the tables below; a newer database is left alone."""

_LOCK_KEY = 0x7AB1E
_meta = MetaData()
_keep = Table(
    "keep", _meta, Column("key", String(64), primary_key=True), Column("value", Text, nullable=False)
)
_seats = Table(
    "seats",
    _meta,
    Column("key", String(32), primary_key=True),
    Column("name", String(64), nullable=False),
    Column("colour", String(32), nullable=False),
    Column("code", String(16), nullable=False, unique=True),
    Column("generation", Integer, nullable=False),
    Column("place", Integer, nullable=False),
)
_games = Table(
    "games",
    _meta,
    Column("id", String(32), primary_key=True),
    Column("slug", String(64), nullable=False),
    Column("title", String(200), nullable=False),
    Column("started", String(32), nullable=False),
    Column("place", Integer, nullable=False),
    Column("ended", Integer, nullable=False),
    Column("setup", Text, nullable=False),
)
_facts = Table(
    "facts",
    _meta,
    Column("game", String(32), primary_key=True),
    Column("seq", Integer, primary_key=True),
    Column("kind", String(16), nullable=False),
    Column("line", Text, nullable=False),
    Column("source", String(32), nullable=False),
    Column("confidence", Float, nullable=False),
    Column("observation", String(100), nullable=False),
    UniqueConstraint("game", "observation"),
)


@dataclass(frozen=True, slots=True)
class GameRecord:
    """A game as it was begun, with the number of its rows."""

    id: str
    slug: str
    title: str
    started: str
    setup: Setup
    ended: bool = False
    rows: int = 0


class Journal:
    """All games and seats of one companion. One process at a time."""

    def __init__(
        self, engine: Engine, *, lock: Connection | None = None, aside: Path | None = None
    ) -> None:
        self.engine = engine
        self.set_aside = aside
        """Where a damaged database was put, if one was found at the start."""
        self._lock = lock

    @classmethod
    def open(cls, url: str) -> "Journal":
        """Open or make the database at ``url`` (``sqlite:///FILE``, ``postgresql+psycopg://...``).

        A damaged SQLite file is set aside and a new one begun. Raises JournalError with the remedy
        for a newer database, a read-only or full disk, a server that does not answer; JournalBusyError
        if another companion is at it.
        """
        try:
            return cls._opened(url)
        except DatabaseError as fault:
            damaged = _sqlite_file(url)
            if damaged is None or not _is_damage(fault):
                raise JournalError(_sentence(fault, url)) from fault
            aside = _put_aside(damaged)
            journal = cls._opened(url)
            journal.set_aside = aside
            return journal
        except SQLAlchemyError as fault:
            raise JournalError(_sentence(fault, url)) from fault

    @classmethod
    def _opened(cls, url: str) -> "Journal":
        engine = create_engine(url)
        try:
            if engine.dialect.name == "sqlite":
                event.listen(engine, "connect", _make_durable)
                with engine.connect() as connection:
                    verdict = connection.execute(text("PRAGMA quick_check")).scalar()
                if verdict != "ok":
                    raise DatabaseError("quick_check", None, ValueError(f"malformed: {verdict}"))
            lock = _advisory_lock(engine)
            _check_schema(engine)
        except BaseException:
            engine.dispose()
            raise
        return cls(engine, lock=lock)

    def close(self) -> None:
        """Let go of the database."""
        if self._lock is not None:
            self._lock.close()
        self.engine.dispose()

    # -- small things kept by name -------------------------------------------------------------

    def kept(self, key: str) -> str | None:
        """A text kept under ``key``."""
        with self._reading() as connection:
            return connection.execute(select(_keep.c.value).where(_keep.c.key == key)).scalar()

    def keep(self, key: str, value: str) -> None:
        """Keep a text under ``key``."""
        with self._writing() as connection:
            connection.execute(delete(_keep).where(_keep.c.key == key))
            connection.execute(insert(_keep).values(key=key, value=value))

    # -- seats ------------------------------------------------------------------------------------

    def seats(self) -> tuple[SeatInfo, ...]:
        """Everybody at the table, in the order of joining."""
        with self._reading() as connection:
            rows = connection.execute(select(_seats).order_by(_seats.c.place)).all()
        return tuple(SeatInfo(Seat(r.key), r.name, r.colour, r.code, r.generation) for r in rows)

    def put_seat(self, seat: SeatInfo) -> None:
        """Add a seat, or change the one with this key."""
        values = {
            "name": seat.name,
            "colour": seat.colour,
            "code": seat.code,
            "generation": seat.generation,
        }
        with self._writing() as connection:
            changed = connection.execute(update(_seats).where(_seats.c.key == seat.key).values(values))
            if changed.rowcount == 0:
                place = connection.execute(select(func.coalesce(func.max(_seats.c.place), 0) + 1)).scalar()
                connection.execute(insert(_seats).values(key=seat.key, place=place, **values))

    def drop_seat(self, key: Seat) -> None:
        """Remove a seat from the table; the facts it made stay."""
        with self._writing() as connection:
            connection.execute(delete(_seats).where(_seats.c.key == key))

    # -- games ------------------------------------------------------------------------------------

    def games(self) -> tuple[GameRecord, ...]:
        """Every game kept, the newest first."""
        counts = select(_facts.c.game, func.count().label("rows")).group_by(_facts.c.game).subquery()
        query = (
            select(_games, func.coalesce(counts.c.rows, 0).label("rows"))
            .outerjoin(counts, counts.c.game == _games.c.id)
            .order_by(_games.c.place.desc())
        )
        with self._reading() as connection:
            return tuple(_record(row) for row in connection.execute(query))

    def game(self, game_id: str) -> GameRecord:
        """One game. Raises GameNotFoundError."""
        for record in self.games():
            if record.id == game_id:
                return record
        raise GameNotFoundError(f"there is no game {game_id!r} here; `companion games` lists them")

    def begin(self, record: GameRecord) -> None:
        """Keep a new game."""
        setup = record.setup
        stored = json.dumps(
            {
                "seats": setup.seats,
                "options": dict(setup.options),
                "deal": setup.deal,
                "carried": dict(setup.carried),
            },
            ensure_ascii=False,
        )
        with self._writing() as connection:
            place = connection.execute(select(func.coalesce(func.max(_games.c.place), 0) + 1)).scalar()
            connection.execute(
                insert(_games).values(
                    id=record.id,
                    slug=record.slug,
                    title=record.title,
                    started=record.started or wall_time(),
                    place=place,
                    ended=0,
                    setup=stored,
                )
            )

    def mark_ended(self, game_id: str, *, ended: bool) -> None:
        """Note for the list of games whether this one has an outcome (its rows are the truth)."""
        with self._writing() as connection:
            connection.execute(update(_games).where(_games.c.id == game_id).values(ended=int(ended)))

    def rows(self, game_id: str) -> tuple[Entry, ...]:
        """All rows of a game in their order."""
        query = select(_facts).where(_facts.c.game == game_id).order_by(_facts.c.seq)
        with self._reading() as connection:
            found = connection.execute(query).all()
        return tuple(Entry(r.seq, r.kind, r.line, r.source, r.observation) for r in found)

    def append(self, game_id: str, entry: Entry, *, confidence: float = 1.0) -> bool:
        """Write one row; it is durable when this returns True. False: this observation was there.

        Raises JournalError with the remedy; then nothing was written.
        """
        values = {
            "game": game_id,
            "seq": entry.seq,
            "kind": entry.kind,
            "line": entry.line,
            "source": entry.source,
            "confidence": confidence,
            "observation": entry.observation,
        }
        try:
            with self._writing() as connection:
                connection.execute(insert(_facts).values(values))
        except JournalError as fault:
            if isinstance(fault.__cause__, IntegrityError) and self._has(game_id, entry.observation):
                return False
            raise
        return True

    def append_all(self, game_id: str, entries: list[Entry]) -> None:
        """Write many rows at once (an imported game)."""
        rows = [
            {
                "game": game_id,
                "seq": e.seq,
                "kind": e.kind,
                "line": e.line,
                "source": e.source,
                "confidence": 1.0,
                "observation": e.observation,
            }
            for e in entries
        ]
        if rows:
            with self._writing() as connection:
                connection.execute(insert(_facts), rows)

    def _has(self, game_id: str, observation: str) -> bool:
        query = select(_facts.c.seq).where(_facts.c.game == game_id, _facts.c.observation == observation)
        with self._reading() as connection:
            return connection.execute(query).first() is not None

    @contextmanager
    def _reading(self) -> Iterator[Connection]:
        try:
            with self.engine.connect() as connection:
                yield connection
        except SQLAlchemyError as fault:
            raise JournalError(_sentence(fault, str(self.engine.url))) from fault

    @contextmanager
    def _writing(self) -> Iterator[Connection]:
        try:
            with self.engine.begin() as connection:
                yield connection
        except SQLAlchemyError as fault:
            raise JournalError(_sentence(fault, str(self.engine.url))) from fault


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
    if not connection.execute(text("SELECT pg_try_advisory_lock(:key)"), {"key": _LOCK_KEY}).scalar():
        connection.close()
        raise JournalBusyError(
            "another companion is using this database; stop it first, or give this one its own"
        )
    connection.commit()
    return connection


def _check_schema(engine: Engine) -> None:
    with engine.begin() as connection:
        tables = engine.dialect.get_table_names(connection)
        if "keep" in tables:
            found = connection.execute(select(_keep.c.value).where(_keep.c.key == "schema")).scalar()
            if found is not None and int(found) > SCHEMA:
                raise JournalError(
                    f"the games here were kept by a newer companion (format {found}; this one knows "
                    f"{SCHEMA}). Nothing was changed. Update this companion, or name another --data folder"
                )
        _meta.create_all(connection)
        if connection.execute(select(_keep.c.value).where(_keep.c.key == "schema")).scalar() is None:
            connection.execute(insert(_keep).values(key="schema", value=str(SCHEMA)))


def _record(row: Any) -> GameRecord:
    stored: Mapping[str, Any] = json.loads(row.setup)
    setup = Setup(
        tuple(Seat(s) for s in stored["seats"]), stored["options"], stored["deal"], stored["carried"]
    )
    return GameRecord(row.id, row.slug, row.title, row.started, setup, bool(row.ended), row.rows)


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


_REMEDIES = (
    ("disk is full", "the disk is full: free some space; play goes on, but nothing new is kept until then"),
    ("readonly", "the data folder is read-only: check its owner, or whether the SD card has failed"),
    ("read-only", "the data folder is read-only: check its owner, or whether the SD card has failed"),
    ("unable to open", "the data folder cannot be written: check that it exists and is yours"),
    ("locked", "another program has the database open: close it"),
    ("disk I/O", "the disk reports an error: the SD card may be failing; export your games"),
    ("connection", "the database server does not answer: check that it runs and that the address is right"),
)


def _sentence(fault: SQLAlchemyError, url: str) -> str:
    words = str(getattr(fault, "orig", None) or fault).splitlines()[0]
    where = make_url(url).render_as_string(hide_password=True)
    for part, remedy in _REMEDIES:
        if part in words:
            return f"{where}: {remedy} ({words})"
    return f"{where}: {words}"
