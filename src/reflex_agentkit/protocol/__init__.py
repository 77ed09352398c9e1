"""AG-UI and the rules of answering, pure: no clock, no randomness, no I/O, no framework."""
