"""Runs played by the workers of a Ray cluster. Only `crew` knows Ray; it is an extra.

The driver (the command) keeps plan, lock, queue and run folder; a worker plays one attempt at a run
and hands back its outcome and verdict; one actor holds the limits at every provider.
"""
