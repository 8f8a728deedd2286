"""Nine Candles, the smallest game: a folder, and nothing else."""
