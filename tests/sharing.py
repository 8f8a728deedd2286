"""How several processes share the tests out: a file is one's whole, and so is all that needs the rigs."""

from xdist.scheduler import LoadScopeScheduling

RIG = "tests/rig/"


class ByFile(LoadScopeScheduling):
    """What is dear to set up is set up once, and the rigs are not built twice at the same time."""

    def _split_scope(self, nodeid):
        return RIG if nodeid.startswith(RIG) else nodeid.split("::", 1)[0]
