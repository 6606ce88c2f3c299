"""What events do to gradients: the automata whose states the rules ask about."""
