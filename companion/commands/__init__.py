"""What the command line can do: each module adds its commands to the parser and runs them."""
