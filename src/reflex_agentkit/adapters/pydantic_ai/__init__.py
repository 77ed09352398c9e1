"""PydanticAI agents."""
