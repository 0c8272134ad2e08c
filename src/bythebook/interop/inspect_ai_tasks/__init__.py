"""Tasks for Inspect: `inspect eval bythebook/conduct`. Inspect loads this by its entry point.

Nothing else of bythebook imports it, since Inspect takes two seconds to load.
"""

from bythebook.interop.inspect_ai_tasks.conduct import conduct, play_conduct
from bythebook.interop.inspect_ai_tasks.deliverables import deliverables, play_deliverables
from bythebook.interop.inspect_ai_tasks.scoring import conduct_verdict, deliverables_verdict
from bythebook.interop.inspect_ai_tasks.scoring import pass_k as pass_k

__all__ = [
    "conduct",
    "conduct_verdict",
    "deliverables",
    "deliverables_verdict",
    "pass_k",
    "play_conduct",
    "play_deliverables",
]
