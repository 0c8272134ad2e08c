"""Recipes that build the deliverables tasks from a seed: in the repository, not in the wheel."""
