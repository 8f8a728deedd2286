"""How several processes share the tests out: a file is one's whole, and so is all of one kernel."""

from xdist.scheduler import LoadScopeScheduling

RIG = "tests/rig/"
CAMERA = f"{RIG}test_picamera.py"
"""It has a rig of its own."""


class ByFile(LoadScopeScheduling):
    """What is dear to set up is set up once."""

    def _split_scope(self, nodeid):
        file = nodeid.split("::", 1)[0]
        return RIG if file.startswith(RIG) and file != CAMERA else file
