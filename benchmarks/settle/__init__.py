"""How many findings `verify` settles, on broken copies of scripts from public repositories."""
