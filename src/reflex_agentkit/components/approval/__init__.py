"""The approval and its parts."""
