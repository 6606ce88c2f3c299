"""Reading source code with libcst."""
