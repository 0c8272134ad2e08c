"""Judging what no check can decide: one session per rubric item."""
