"""Tea Time Crime."""
