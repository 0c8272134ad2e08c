"""Deliverables tasks as task folders of Harbor, and back: instruction, image, tests, solution."""
