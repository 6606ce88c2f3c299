"""The verdicts on findings and on fixtures, as they are printed."""

CONFIRMED = "CONFIRMED"
"""Running the program showed the bug."""

# On findings.
REFUTED = "REFUTED"
NEGLIGIBLE = "NEGLIGIBLE"
NOT_REACHED = "NOT REACHED"
INCONCLUSIVE = "INCONCLUSIVE"

# On fixtures.
CLEAN = "CLEAN"
FAILED = "FAILED"
SKIPPED = "SKIPPED"
