"""A V4L2 camera that is not there; one that is, in tests/rig."""

import pytest

from vision.camera import CameraFault, CameraState
from vision.v4l2 import V4l2


def test_a_device_that_is_not_there_is_named():
    device = V4l2(250, print)
    with pytest.raises(CameraFault, match="/dev/video250 is not there") as caught:
        device.open()
    assert caught.value.state is CameraState.ABSENT
    assert caught.value.remedy
    device.close()
