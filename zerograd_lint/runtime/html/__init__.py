"""The report as one self-contained page: no script, no network, light and dark."""
