"""Makes the profiles that vision and hardware read. Empty until the first one is measured, not typed."""
