"""A CrewAI flow that asks for a meeting time, in process or served by CrewAI's own AG-UI package."""
