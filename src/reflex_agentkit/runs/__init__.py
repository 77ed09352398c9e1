"""Make an agent run and go on."""
