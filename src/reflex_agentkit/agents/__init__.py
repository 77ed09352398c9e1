"""What an agent is, and the gate before its tools."""
