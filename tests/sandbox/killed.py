"""A program that plays in a sandbox until it is killed: KIND WORKSPACE MARK."""

import sys
from pathlib import Path
from typing import get_args

import anyio

from bythebook.sandbox.doors import door_folder
from bythebook.sandbox.layout import Kind, Layout
from bythebook.sandbox.sandbox import sandbox
from tests.sandbox.server import echoing

LINE = """
beat() { while :; do date +%s%N > "$1"; sleep 0.02; done; }
(setsid bash -c "$(declare -f beat); beat away" MARK &) 2>/dev/null
beat here
"""


async def main(kind: Kind, workspace: Path, mark: str) -> None:
    scratch = workspace.parent / "scratch"
    with door_folder() as folder:
        layout = Layout(doors={80: folder / "model"})
        async with echoing(folder / "model"):
            with sandbox(kind, workspace, scratch, layout) as made:
                sys.stdout.write("now\n")
                sys.stdout.flush()
                await made.run(LINE.replace("MARK", mark), 600)


if __name__ == "__main__":
    _, wanted, place, name = sys.argv
    chosen: Kind = next(kind for kind in get_args(Kind) if kind == wanted)
    anyio.run(main, chosen, Path(place), name)
