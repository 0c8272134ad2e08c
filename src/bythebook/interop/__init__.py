"""Traces of other programs: read, given a state by declared rules, and judged by criteria."""
