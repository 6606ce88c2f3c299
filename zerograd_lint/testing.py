"""Checks for the tests of training code; importing them loads torch."""

from __future__ import annotations

from .runtime.checks.accumulation_check import assert_accumulation_equals_full_batch
from .runtime.checks.resume_check import assert_resuming_changes_nothing

__all__ = ["assert_accumulation_equals_full_batch", "assert_resuming_changes_nothing"]
