"""`python -m bythebook.conduct.prove TASK...`: the proof as JSON, without the command line."""

import sys

import msgspec

from bythebook.conduct.company import load_company
from bythebook.conduct.prove import prove_task
from bythebook.conduct.task import load_tasks
from bythebook.task import Content


def main(names: tuple[str, ...]) -> int:
    """Prove the named tasks, or all; 1 when one is not proved."""
    content = Content()
    proofs = [prove_task(task) for task in load_tasks(content, load_company(content), names)]
    for proof in proofs:
        sys.stdout.write(msgspec.json.format(msgspec.json.encode(proof), indent=2).decode() + "\n")
    return 0 if all(proof.proved for proof in proofs) else 1


if __name__ == "__main__":
    sys.exit(main(tuple(sys.argv[1:])))
