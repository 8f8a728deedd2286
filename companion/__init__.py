"""What is going on in the game: rules, table, journal and the command line."""
