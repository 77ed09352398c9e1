"""Reflex state: the door between a page and the kit."""
