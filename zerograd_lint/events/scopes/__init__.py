"""Which names a file binds to what, scope by scope."""
