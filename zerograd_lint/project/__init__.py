"""The modules of the same project that a file imports: found, read as far as they matter."""
