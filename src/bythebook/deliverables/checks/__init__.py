"""The closed set of checks: exact, free, and first to speak on a rubric item."""
