"""The reader of dice together with what players have taught it, to be used by several threads."""

from companion.rules.events import DiceExpected
from vision.dice import Die, read
from vision.frames import Frame
from vision.taught import Taught


class LearnedReader:
    """Reads as `vision.dice.read` does; `learn` replaces what was taught, from the next picture on."""

    def __init__(self, taught: Taught | None = None) -> None:
        self.taught = taught or Taught()

    def learn(self, taught: Taught) -> None:
        """Read by this gallery from now on."""
        self.taught = taught

    def __call__(self, frame: Frame, expected: DiceExpected | None = None) -> tuple[Die, ...]:
        return read(frame, expected, taught=self.taught)
