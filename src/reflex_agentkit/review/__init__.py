"""Decide what may be decided, and write it once."""
