"""Does the linter find the bugs people really made?

`bugs.csv` lists bugs of public repositories by commit and line, from their issues and fix commits:
facts, no code. The commit is the one before the fix, or the newest one where nobody has fixed it.
"""
