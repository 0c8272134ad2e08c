"""Conduct tasks as environments for reinforcement learning.

`gym` needs gymnasium, `rollouts` needs verifiers; neither is imported with bythebook.
"""

from bythebook.interop.rl.course import Course, Way, open_course
from bythebook.interop.rl.episode import Episode, Result, Step

__all__ = ["Course", "Episode", "Result", "Step", "Way", "open_course"]
