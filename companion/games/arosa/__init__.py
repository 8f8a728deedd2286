"""Mord im Arosa. The rules and the readings chosen stand in README.md."""
