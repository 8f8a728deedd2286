"""The sealed book of a game: what sensors know and nobody may before the outcome.

Each entry is encrypted with the game's own key as soon as it comes in. The key lies in the database
wrapped in this companion's key, which is kept in a file of its own: a copy of the database opens
nothing. Opening the book writes the key into the journal as a row.
"""

from collections.abc import Mapping

from cryptography.fernet import Fernet, InvalidToken

from companion.errors import JournalError
from companion.journal import Journal
from companion.seal import Seal

PADDED = 2048
"""Characters to which every entry is filled up, so that its length tells nothing of it."""


class Book:
    """One game's book. Used on the table's thread only."""

    def __init__(self, game_id: str, journal: Journal, seal: Seal) -> None:
        self._game = game_id
        self._journal = journal
        self._seal = seal

    def closed(self, text: str) -> str:
        """Encrypt one entry, to be written with its row. Raises JournalError."""
        filled = text + " " * (-len(text) % PADDED)
        return Fernet(self.key()).encrypt(filled.encode()).decode()

    def key(self) -> str:
        """Return the game's key, made on first use. Raises JournalError if it cannot be unwrapped."""
        wrapped = self._journal.book_key(self._game)
        if wrapped is None:
            key = Fernet.generate_key().decode()
            self._journal.keep_book_key(self._game, self._seal.close(key))
            return key
        try:
            return self._seal.open(wrapped)
        except ValueError as fault:
            raise JournalError(
                "the sealed book of this game was begun by another companion: put that one's seal.key "
                "back; play goes on without its entries"
            ) from fault

    def opened(self, key: str = "") -> Mapping[str, str]:
        """Decrypt everything, by observation; ``key`` is the one that a row of the journal released.

        An entry that no key opens is left out: the rest of the evening can still be told.
        """
        fernet = Fernet(key or self.key())
        found = {}
        for observation, token in self._journal.sealed(self._game).items():
            text = _decrypted(fernet, token)
            if text is not None:
                found[observation] = text
        return found


def _decrypted(fernet: Fernet, token: str) -> str | None:
    try:
        return fernet.decrypt(token.encode()).decode().rstrip()
    except InvalidToken:
        return None
