"""Statistics of a report: pure functions on arrays, each with its formula and source."""
