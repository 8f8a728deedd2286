"""Makes the profiles that vision and hardware read. Only the composition root imports it."""
