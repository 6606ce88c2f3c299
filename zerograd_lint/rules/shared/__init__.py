"""What several rules ask."""
