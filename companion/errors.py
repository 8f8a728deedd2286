"""The companion's own errors. Each says what is wrong and what to do about it."""


class CompanionError(Exception):
    """Something that a person can mend. The text names the thing and the remedy."""


class SettingsError(CompanionError, ValueError):
    """A setting is unknown or has a bad value."""


class JournalError(CompanionError, OSError):
    """The evening cannot be read from or written to the disk."""


class JournalBusyError(JournalError):
    """Another companion holds this data folder."""


class GameFileError(CompanionError, ValueError):
    """A game's text file cannot be read."""


class GameNotFoundError(CompanionError, LookupError):
    """No game has this name."""
