"""The pure kernel: events, timers, games, views and their text. No clock, no chance, no I/O."""
