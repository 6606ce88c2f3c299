"""The language server: findings, fixes and rule pages in editors. Only it imports pygls."""
