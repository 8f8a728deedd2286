"""Unusual Suspects. The rules and the readings chosen stand in README.md."""
