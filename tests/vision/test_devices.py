"""What Linux says of devices; cameras themselves in tests/rig."""

import os
from pathlib import Path

from vision.devices import describe, holders


def test_the_holder_of_a_file_is_named(tmp_path):
    path = tmp_path / "video7"
    path.touch()
    assert holders([path]) == ()
    with path.open():
        (name,) = holders([path, tmp_path / "video8"])
    assert name.endswith(f"({os.getpid()})")


def test_what_is_no_camera_is_not_described(tmp_path):
    assert describe(Path("/dev/null")) is None
    assert describe(tmp_path / "video0") is None
