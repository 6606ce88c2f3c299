"""Has nothing to do with PyTorch."""

print("hello")
