"""How right is the linter at first look, on code that was drawn before anybody looked at it?

A group is a list of projects, pinned and hashed in `groups/` before the linter sees one of them. It
is linted once, every finding is judged by reading, and it is used up.
"""
