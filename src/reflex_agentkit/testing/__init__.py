"""What users and we test with."""
