"""`bythebook merge`: the runs of several folders in one."""

from pathlib import Path

import click
from rich.markup import escape

from bythebook.cli.options import as_json, common
from bythebook.cli.score import judged_again, shown
from bythebook.cli.speak import complain_of, counted, emit, people
from bythebook.run.durable import write_whole
from bythebook.run.folder import EvaluationFolder, as_text
from bythebook.run.merge import MERGED, merge
from bythebook.run.score import scores


@click.command("merge")
@click.argument(
    "folders", metavar="DIR...", nargs=-1, required=True, type=click.Path(path_type=Path)
)
@click.option("--to", required=True, type=click.Path(path_type=Path), metavar="DIR")
@click.option(
    "--pool", is_flag=True, help="Different runs of one number are all taken, under new numbers."
)
@as_json
@common
def command(folders: tuple[Path, ...], to: Path, pool: bool, as_json: bool) -> int:
    """Join the runs of several evaluations of one plan in a new folder.

    Tasks and runs may differ; what else differs is said, and nothing is merged. The folders that
    are merged stay as they are; merged.json says which of them each run is from.
    """
    told = merge(folders, to, pool=pool)
    place = EvaluationFolder(to)
    found = judged_again(place)
    result = scores(place, found)
    write_whole(place.summary, as_text(result))
    for problem in found.problems:
        complain_of(problem)
    console = people()
    if as_json:
        emit(told)
    else:
        console.print(*shown(result), sep="\n")
    for line in told.left_out:
        console.print(f"left out: {escape(line)}")
    console.print(
        f"{counted(len(told.runs), 'run')} of {len(folders)} folders are in {escape(str(to))}"
    )
    anew = sum(run.was is not None for run in told.runs)
    if anew:
        console.print(f"{anew} of them under new numbers; {MERGED} tells the old ones")
    return 2 if found.problems else 0
