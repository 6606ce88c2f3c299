"""Files that hold Python: their bytes, their text, and comments that silence."""
