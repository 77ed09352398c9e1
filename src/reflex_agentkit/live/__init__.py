"""Text to the tabs as it comes: a channel of its own on the websocket that Reflex already has."""
