"""The command line: one module per command, each loaded when it is called."""
