"""What the scripts of this repository do, with a bare Python: standard library only."""
