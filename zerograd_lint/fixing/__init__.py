"""Fixes: planned by rules, written as edits, applied to text."""
