"""`bythebook prove`: a task counts when its rules let right runs pass, and no wrong one."""

from bythebook.conduct.prove.proof import Proof, write_kill_table
from bythebook.conduct.prove.prover import gate_problems, prove_task

__all__ = ["Proof", "gate_problems", "prove_task", "write_kill_table"]
