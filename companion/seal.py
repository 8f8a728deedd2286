"""Sealing what must not leave the table before the outcome."""

import secrets
from pathlib import Path

from cryptography.fernet import Fernet, InvalidToken

from companion.errors import JournalError
from companion.files import write_whole


class Seal:
    """Texts closed with this companion's own key; nobody else opens them."""

    def __init__(self, key: bytes) -> None:
        self._fernet = Fernet(key)

    @classmethod
    def at(cls, file: Path) -> "Seal":
        """With the key kept in ``file``, made on first use and readable by its owner only.

        Raises JournalError for one that is damaged or cannot be read: a new one would not open what
        the old one has sealed, so a person has to decide.
        """
        try:
            if not file.exists() or not file.read_bytes().strip():
                write_whole(file, Fernet.generate_key(), mode=0o600)
            return cls(file.read_bytes().strip())
        except OSError as fault:
            raise JournalError(f"{file}: {fault.strerror}: check its owner and the disk") from fault
        except ValueError as fault:
            raise JournalError(
                f"{file} is damaged: put it back from a backup, or move it away for a new one. The games "
                "here stay as they are; exports that are still sealed open with the old key only"
            ) from fault

    def close(self, text: str) -> str:
        """``text``, sealed, as one printable word."""
        return self._fernet.encrypt(text.encode()).decode()

    def open(self, token: str) -> str:
        """What was sealed. Raises ValueError if it was sealed by another companion or changed."""
        try:
            return self._fernet.decrypt(token.encode()).decode()
        except InvalidToken:
            raise ValueError(
                "this part is sealed by another companion; export the game there after it has ended"
            ) from None


def new_deal() -> str:
    """128 random bits from the operating system, as text."""
    return secrets.token_hex(16)
