"""The nine patterns a rule can have, each with the monitor that watches it."""

from bythebook.conduct.criteria.patterns.consent import Authorised
from bythebook.conduct.criteria.patterns.event import Count, Never, Whenever
from bythebook.conduct.criteria.patterns.frame import Frame, Spared
from bythebook.conduct.criteria.patterns.order import After, Before
from bythebook.conduct.criteria.patterns.state import Always, Finally

__all__ = [
    "After",
    "Always",
    "Authorised",
    "Before",
    "Count",
    "Finally",
    "Frame",
    "Never",
    "Spared",
    "Whenever",
]  # fmt: skip
