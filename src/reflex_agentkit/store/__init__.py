"""Keep and find records."""
