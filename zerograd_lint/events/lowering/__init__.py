"""From syntax to a program of events."""
