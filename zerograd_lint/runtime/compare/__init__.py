"""Two runs of a program compared by the gradients they consumed, and the verdicts that follow."""
