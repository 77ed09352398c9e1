"""One framework each, made into an AG-UI agent."""
