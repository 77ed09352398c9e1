"""A person says yes, no, or "yes, but so" before an agent acts."""
