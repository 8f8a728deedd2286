"""The folder where one companion keeps its games, its keys and its settings."""

import fcntl
import os
import secrets
from collections.abc import Callable
from pathlib import Path
from typing import IO

from companion.errors import JournalBusyError, JournalError
from companion.files import write_whole


class DataFolder:
    """A writable folder that only this process uses, until ``close``."""

    def __init__(self, path: Path, lock: IO[str]) -> None:
        self.path = path
        self._lock = lock

    @classmethod
    def open(cls, path: Path) -> "DataFolder":
        """Make the folder if need be, try it, and lock it.

        Raises JournalError if it cannot be written and read back, JournalBusyError if another
        companion holds it.
        """
        try:
            path.mkdir(mode=0o700, parents=True, exist_ok=True)  # secrets of games lie in it
            lock = (path / "companion.lock").open("a+", encoding="ascii")
        except OSError as fault:
            raise JournalError(
                f"{path} cannot be written ({fault.strerror}): give this companion a folder of its own "
                "with --data, or check the owner and the SD card"
            ) from fault
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            lock.seek(0)
            holder = lock.read().strip() or "unknown"
            lock.close()
            raise JournalBusyError(
                f"another companion (process {holder}) is using {path}: stop it, or give this one "
                "another folder with --data"
            ) from None
        folder = cls(path, lock)
        try:
            lock.truncate(0)
            lock.write(str(os.getpid()))
            lock.flush()
            folder._probe()
        except OSError as fault:
            folder.close()
            raise JournalError(
                f"{path}: {fault.strerror or fault}: free some space or check the SD card"
            ) from fault
        return folder

    def close(self) -> None:
        """Let the next companion have it."""
        self._lock.close()

    @property
    def database_url(self) -> str:
        """The SQLite file of the journal, as SQLAlchemy writes it."""
        return f"sqlite:///{self.path.resolve() / 'companion.db'}"

    @property
    def settings_file(self) -> Path:
        """Where ``companion.toml`` lies if there is one."""
        return self.path / "companion.toml"

    @property
    def seal_file(self) -> Path:
        """The key that seals secrets."""
        return self.path / "seal.key"

    def secret_key(self) -> bytes:
        """The key that signs the phones' cookies, made on first use."""
        return self._kept("cookie.key", lambda: secrets.token_hex(32)).encode()

    def host_pin(self) -> str:
        """The PIN for host acts, made on first use; write another into ``host.pin`` to change it."""
        return self._kept("host.pin", lambda: f"{secrets.randbelow(10_000):04d}")

    def _kept(self, name: str, make: Callable[[], str]) -> str:
        file = self.path / name
        try:
            found = file.read_text(encoding="ascii").strip() if file.exists() else ""
            if not found:
                found = make()
                write_whole(file, found.encode("ascii"), mode=0o600)
        except OSError as fault:
            raise JournalError(f"{file}: {fault.strerror}: check its owner and the disk") from fault
        except UnicodeDecodeError as fault:
            raise JournalError(
                f"{file} is damaged: remove it, and a new one is made at the next start"
            ) from fault
        return found

    def _probe(self) -> None:
        """A dying SD card takes writes and forgets them: write, read back, compare."""
        probe, content = self.path / ".probe", secrets.token_bytes(16)
        write_whole(probe, content)
        if probe.read_bytes() != content:
            raise OSError(5, "what was written does not read back; the SD card may be failing")
        probe.unlink()
