"""The facts that are stored."""
