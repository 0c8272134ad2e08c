"""Rules asked before a call is made: it goes through, is refused with the rule's sentence, or is
only noted.

    guard = Guard(TraceRules(load_rulebook(path)))
    refund = guard.tool(refund)          # raises `Stopped` where a rule would be broken
"""

from bythebook.guard.decision import Broken, Decision, Stopped
from bythebook.guard.guard import Guard
from bythebook.guard.journal import Journal
from bythebook.guard.observed import TraceRules
from bythebook.guard.rehearsed import TaskRules

__all__ = ["Broken", "Decision", "Guard", "Journal", "Stopped", "TaskRules", "TraceRules"]
