"""`bythebook submit`: files made elsewhere, judged as a run."""

from pathlib import Path

import anyio
import click
from rich.markup import escape

from bythebook.cli.options import as_json, common, content
from bythebook.cli.reading import reader
from bythebook.cli.score import judged_again, shown
from bythebook.cli.speak import complain_of, emit, people, tell
from bythebook.deliverables.task import load_task
from bythebook.run.durable import write_whole
from bythebook.run.folder import EvaluationFolder, as_text
from bythebook.run.score import scores
from bythebook.run.submit import submit, submitting


@click.command("submit")
@click.argument("task")
@click.argument("files", nargs=-1, type=click.Path(path_type=Path))
@click.option("--agent", required=True, metavar="NAME", help="Who made the files.")
@click.option("--run", type=click.IntRange(1), metavar="N", help="Number of the run; the next one.")
@click.option(
    "--to", required=True, type=click.Path(path_type=Path), metavar="DIR", help="The run folder."
)
@as_json
@common
def command(
    task: str, files: tuple[Path, ...], agent: str, run: int | None, to: Path, as_json: bool
) -> int:
    """Hand in FILES as a run of the deliverables TASK.

    A folder stands for all that is in it; a workspace in StartupBench's layout (query/, results/)
    for what is in its results/. Without FILES nothing is handed in, and that is judged.
    """
    folder, player = EvaluationFolder(to), submitting(agent, files)
    handed = load_task(content(), task)

    async def once() -> Path:
        place, _ = await submit(folder, handed, player, reader(), number=run)
        return place.root

    root = anyio.run(once)
    found = judged_again(folder)
    result = scores(folder, found)
    write_whole(folder.summary, as_text(result))
    if as_json:
        emit(result)
    else:
        people().print(*shown(result), sep="\n")
    for problem in found.problems:
        complain_of(problem)
    tell(f"the run is in {escape(str(root))}")
    return 2 if found.problems else 0
