"""From events to a conversation."""
