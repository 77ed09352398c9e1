"""Text to the tabs as it comes."""
