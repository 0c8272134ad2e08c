"""`bythebook prove`: a task counts when its rules let right runs pass, and no wrong one."""

from bythebook.conduct.prove.proof import Proof, prove_task, write_kill_table

__all__ = ["Proof", "prove_task", "write_kill_table"]
