"""Tasks put to the proof: a task counts only when its rubric tells right from wrong."""

from bythebook.deliverables.proof.proof import Proof as Proof
from bythebook.deliverables.proof.prover import prove_task as prove_task
