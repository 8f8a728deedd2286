"""Inspector Moss: House Arrest. The rules and the readings chosen stand in README.md."""
