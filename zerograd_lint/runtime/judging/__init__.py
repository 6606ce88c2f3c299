"""What each step applied, and whether that is a gradient bug."""
