"""Questions about an analysis that several rules ask."""
