"""The front end: from a syntax tree to a program of gradient events."""
