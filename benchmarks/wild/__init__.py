"""How right is the linter on code it did not write?

Published packages are downloaded and linted as they are (precision), then broken on purpose in
ten ways and linted again (recall), then mended by the fixes (correctness); other tools see the
same files.
"""
