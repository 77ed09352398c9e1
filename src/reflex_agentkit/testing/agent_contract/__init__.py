"""The parts of the contract of agents; `testing.agents` puts them together."""
