"""Noir: Killer vs Inspector: two players, twenty-five suspects, two secret identities."""
