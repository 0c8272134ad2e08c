"""Plays one evaluation in children that are killed.

python -m tests.run.killed CONTENT FOLDER RUNS     for each line on standard input, a child: its id
                                                   when it begins, and its status when it is gone
"""

import os
import sys
from pathlib import Path

from bythebook.run.agents import Scripted
from tests.own import own_task
from tests.run.playing import play


def tell(number: int) -> None:
    sys.stdout.write(f"{number}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    task = own_task(Path(sys.argv[1]))
    for _ in sys.stdin:
        # Forked before any thread begins: a child costs milliseconds, not the imports.
        child = os.fork()
        if not child:
            play(task, Scripted("golden"), Path(sys.argv[2]), runs=int(sys.argv[3]))
            os._exit(0)
        tell(child)
        tell(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
