"""Measurements anyone can repeat: how right the linter is on published code, and how fast."""
