"""Sealing what must not leave the table before the outcome."""

import secrets
from pathlib import Path

from cryptography.fernet import Fernet, InvalidToken

from companion.files import write_whole


class Seal:
    """Texts closed with this companion's own key; nobody else opens them."""

    def __init__(self, key: bytes) -> None:
        self._fernet = Fernet(key)

    @classmethod
    def at(cls, file: Path) -> "Seal":
        """With the key kept in ``file``, made on first use and readable by its owner only."""
        if not file.exists() or not file.read_bytes().strip():
            write_whole(file, Fernet.generate_key(), mode=0o600)
        return cls(file.read_bytes().strip())

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
