"""One frame as the follower looks at it: always in small, and whole or in full only when that matters."""

from collections.abc import Callable
from typing import Self

from vision.frames import Frame
from vision.settle import Grey, small
from vision.tray import TrayProfile, rectify

WHOLE_PX = 320
"""Longest side in px of the whole picture in which the tray's place is looked for."""


class Glance:
    """A frame, and what has been looked at of it, so that a recording keeps just that.

    ``picture`` is the straightened tray for people, ``size`` (width, height) its px, ``grey`` the same
    in small. ``read``: whether `tray` was asked for; ``placed``: what `whole` gave, if it was.
    """

    def __init__(
        self, picture: Frame, grey: Grey, size: tuple[int, int], whole: Callable[[], Grey]
    ) -> None:
        self.picture = picture
        self.grey = grey
        self.size = size
        self.read = False
        self.placed: Grey | None = None
        self._whole = whole

    @classmethod
    def of(cls, frame: Frame, profile: TrayProfile) -> Self:
        """Look at a frame that has just come."""
        picture = rectify(frame, profile)
        height, width = picture.image.shape[:2]
        return cls(picture, small(picture.image), (width, height), lambda: small(frame.image, WHOLE_PX))

    @property
    def at(self) -> float:
        """When its exposure began, in monotonic seconds."""
        return self.picture.at

    def tray(self) -> Frame:
        """Return the straightened tray, to be read."""
        self.read = True
        return self.picture

    def whole(self) -> Grey:
        """Return the whole picture, longest side `WHOLE_PX`."""
        if self.placed is None:
            self.placed = self._whole()
        return self.placed
