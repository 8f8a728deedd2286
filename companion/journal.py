"""The evening on disk: append-only rows in SQLite, or in PostgreSQL by URL.

A row is durable once ``append`` returns (SQLite in WAL mode with synchronous FULL). Nothing is ever
updated in ``facts``: undo and amendments are rows too.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from companion.clock import today, wall_time
from companion.database import (
    BOOKS,
    FACTS,
    GAMES,
    KEEP,
    READINGS,
    SEALED,
    SEATS,
    Database,
    open_database,
    sentence,
)
from companion.errors import GameNotFoundError, JournalError
from companion.evening import Entry, Reading
from companion.rules.events import DieFace, Seat
from companion.rules.game import Setup
from companion.snapshot import SeatInfo


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

    def __init__(self, database: Database, *, day: Callable[[], date] = today) -> None:
        """``day`` tells the date that readings are kept with."""
        self._database = database
        self._day = day

    @classmethod
    def open(cls, url: str, *, owner: bool = True, day: Callable[[], date] = today) -> "Journal":
        """On the database at ``url``. Raises as ``open_database`` does."""
        return cls(open_database(url, owner=owner), day=day)

    @property
    def engine(self) -> Engine:
        """The engine underneath."""
        return self._database.engine

    @property
    def set_aside(self) -> Path | None:
        """Where a damaged database was put, if one was found at the start."""
        return self._database.aside

    def close(self) -> None:
        """Let go of the database."""
        self._database.close()

    # -- small things kept by name -------------------------------------------------------------

    def kept(self, key: str) -> str | None:
        """A text kept under ``key``."""
        with self._reading() as connection:
            return connection.execute(select(KEEP.c.value).where(KEEP.c.key == key)).scalar()

    def keep(self, key: str, value: str) -> None:
        """Keep a text under ``key``."""
        with self._writing() as connection:
            connection.execute(delete(KEEP).where(KEEP.c.key == key))
            connection.execute(insert(KEEP).values(key=key, value=value))

    # -- seats ------------------------------------------------------------------------------------

    def seats(self) -> tuple[SeatInfo, ...]:
        """Everybody at the table, in the order of joining."""
        with self._reading() as connection:
            rows = connection.execute(select(SEATS).order_by(SEATS.c.place)).all()
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
            changed = connection.execute(update(SEATS).where(SEATS.c.key == seat.key).values(values))
            if changed.rowcount == 0:
                place = connection.execute(select(func.coalesce(func.max(SEATS.c.place), 0) + 1)).scalar()
                connection.execute(insert(SEATS).values(key=seat.key, place=place, **values))

    def drop_seat(self, key: Seat) -> None:
        """Remove a seat from the table; the facts it made stay."""
        with self._writing() as connection:
            connection.execute(delete(SEATS).where(SEATS.c.key == key))

    # -- games ------------------------------------------------------------------------------------

    def games(self) -> tuple[GameRecord, ...]:
        """Every game kept, the newest first."""
        counts = select(FACTS.c.game, func.count().label("rows")).group_by(FACTS.c.game).subquery()
        query = (
            select(GAMES, func.coalesce(counts.c.rows, 0).label("rows"))
            .outerjoin(counts, counts.c.game == GAMES.c.id)
            .order_by(GAMES.c.place.desc())
        )
        with self._reading() as connection:
            return tuple(_record(row) for row in connection.execute(query))

    def game(self, game_id: str) -> GameRecord:
        """One game. Raises GameNotFoundError."""
        for record in self.games():
            if record.id == game_id:
                return record
        raise GameNotFoundError(f"there is no game {game_id!r} here; `companion games` lists them")

    def begin(self, record: GameRecord, rows: Sequence[Entry] = ()) -> None:
        """Keep a new game, and with it the rows of one that was played elsewhere: all or nothing."""
        setup = record.setup
        stored = json.dumps(
            {
                "seats": setup.seats,
                "options": dict(setup.options),
                "deal": setup.deal,
                "carried": dict(setup.carried),
                "names": dict(setup.names),
            },
            ensure_ascii=False,
        )
        with self._writing() as connection:
            place = connection.execute(select(func.coalesce(func.max(GAMES.c.place), 0) + 1)).scalar()
            connection.execute(
                insert(GAMES).values(
                    id=record.id,
                    slug=record.slug,
                    title=record.title,
                    started=record.started or wall_time(),
                    place=place,
                    ended=int(record.ended),
                    setup=stored,
                )
            )
            if rows:
                connection.execute(insert(FACTS), [_values(record.id, row) for row in rows])

    def mark_ended(self, game_id: str, *, ended: bool) -> None:
        """Note for the list of games whether this one has an outcome (its rows are the truth)."""
        with self._writing() as connection:
            connection.execute(update(GAMES).where(GAMES.c.id == game_id).values(ended=int(ended)))

    def rows(self, game_id: str) -> tuple[Entry, ...]:
        """All rows of a game in their order."""
        query = select(FACTS).where(FACTS.c.game == game_id).order_by(FACTS.c.seq)
        with self._reading() as connection:
            found = connection.execute(query).all()
        return tuple(Entry(r.seq, r.kind, r.line, r.source, r.observation) for r in found)

    def append(
        self,
        game_id: str,
        entry: Entry,
        *,
        confidence: float = 1.0,
        reading: Reading | None = None,
        sealed: str = "",
    ) -> bool:
        """Write one row; it is durable when this returns True. False: this observation was there.

        ``reading``: what a reader had said of it, and ``sealed``: what its sensor had sealed; they go
        with the row or not at all. Raises JournalError with the remedy; then nothing was written.
        """
        try:
            with self._writing() as connection:
                connection.execute(insert(FACTS).values(_values(game_id, entry, confidence)))
                if reading is not None:
                    connection.execute(
                        insert(READINGS).values(_read(game_id, entry.seq, reading, self._day()))
                    )
                if sealed:
                    beside = {"game": game_id, "observation": entry.observation, "token": sealed}
                    connection.execute(insert(SEALED).values(beside))
        except JournalError as fault:
            if isinstance(fault.__cause__, IntegrityError) and self._has(game_id, entry.observation):
                return False
            raise
        return True

    def readings(self) -> Mapping[str, tuple[tuple[int, str, Reading], ...]]:
        """What readers have said, by game: the number of the fact, the day (ISO), the reading."""
        found: dict[str, tuple[tuple[int, str, Reading], ...]] = {}
        query = select(READINGS).order_by(READINGS.c.game, READINGS.c.seq)
        with self._reading() as connection:
            for row in connection.execute(query):
                dice = tuple(DieFace.parse(die) for die in row.dice.split(",") if die)
                found[row.game] = (*found.get(row.game, ()), (row.seq, row.day, Reading(row.reader, dice)))
        return found

    def sealed(self, game_id: str) -> Mapping[str, str]:
        """The entries of a game's sealed book as they are, encrypted, by observation."""
        query = select(SEALED).where(SEALED.c.game == game_id)
        with self._reading() as connection:
            return {row.observation: row.token for row in connection.execute(query)}

    def book_key(self, game_id: str) -> str | None:
        """The key of a game's sealed book, wrapped; None before its first entry."""
        query = select(BOOKS.c.wrapped).where(BOOKS.c.game == game_id)
        with self._reading() as connection:
            return connection.execute(query).scalar()

    def keep_book_key(self, game_id: str, wrapped: str) -> None:
        """Keep the key of a game's sealed book."""
        with self._writing() as connection:
            connection.execute(insert(BOOKS).values(game=game_id, wrapped=wrapped))

    def _has(self, game_id: str, observation: str) -> bool:
        query = select(FACTS.c.seq).where(FACTS.c.game == game_id, FACTS.c.observation == observation)
        with self._reading() as connection:
            return connection.execute(query).first() is not None

    @contextmanager
    def _reading(self) -> Iterator[Connection]:
        try:
            with self.engine.connect() as connection:
                yield connection
        except SQLAlchemyError as fault:
            raise JournalError(sentence(fault, str(self.engine.url))) from fault

    @contextmanager
    def _writing(self) -> Iterator[Connection]:
        try:
            with self.engine.begin() as connection:
                yield connection
        except SQLAlchemyError as fault:
            raise JournalError(sentence(fault, str(self.engine.url))) from fault
        except UnicodeEncodeError as fault:  # half of a pair, which JSON may hold and no text file
            raise JournalError(f"{fault.object[fault.start]!r} is no letter: type it anew") from fault


def _values(game_id: str, entry: Entry, confidence: float = 1.0) -> dict[str, object]:
    return {
        "game": game_id,
        "seq": entry.seq,
        "kind": entry.kind,
        "line": entry.line,
        "source": entry.source,
        "confidence": confidence,
        "observation": entry.observation,
    }


def _read(game_id: str, seq: int, reading: Reading, day: date) -> dict[str, object]:
    dice = ",".join(map(str, reading.dice))
    read = {"reader": reading.reader[:32], "day": day.isoformat(), "dice": dice}
    return {"game": game_id, "seq": seq, **read}


def _record(row: Any) -> GameRecord:
    stored: Mapping[str, Any] = json.loads(row.setup)
    setup = Setup(
        tuple(Seat(s) for s in stored["seats"]),
        stored["options"],
        stored["deal"],
        stored["carried"],
        stored.get("names", {}),  # games begun before names were kept have none
    )
    return GameRecord(row.id, row.slug, row.title, row.started, setup, bool(row.ended), row.rows)
