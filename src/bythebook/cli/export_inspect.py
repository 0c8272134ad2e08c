"""`bythebook export inspect`: a run folder as a log of Inspect."""

from importlib.util import find_spec
from pathlib import Path

import click
from rich.markup import escape

from bythebook.cli.options import as_json, common
from bythebook.cli.speak import complain, emit, tell
from bythebook.errors import UsageError
from bythebook.run.folder import EvaluationFolder

KIND = ".eval"


@click.command("inspect", short_help="Runs of either suite, as one log for Inspect.")
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@click.option(
    "--to", required=True, type=click.Path(path_type=Path), metavar="FILE.eval", help="The log."
)
@as_json
@common
def command(folder: Path, to: Path, as_json: bool) -> int:
    """Write the runs in DIR, of either suite, as one log that `inspect view` opens.

    Every run is a sample, and its number the epoch. A run without a valid attempt is an error in
    it, and has no score. Exit code 2: a run did not read, and is left out.
    """
    if to.suffix != KIND:
        raise UsageError(f"a log of Inspect is called {KIND}", where=to, hint="--to FILE.eval")
    if not folder.is_dir():
        raise UsageError("no such folder", where=folder)
    if find_spec("inspect_ai") is None:
        hint = "pip install 'bythebook[inspect]'"
        raise UsageError("Inspect is not installed, whose logs these are", hint=hint)
    from bythebook.interop.inspect_ai_export.export import export

    found = export(EvaluationFolder(folder), to)
    if as_json:
        emit(found)
    errors = f", {found.errors} of them errors without a score" if found.errors else ""
    missing = f"; {found.missing} planned runs were never begun" if found.missing else ""
    samples = "1 sample" if found.samples == 1 else f"{found.samples} samples"
    tell(f"{samples}{errors}{missing}; the log is {escape(found.file)}")
    for problem in found.problems:
        complain(problem)
    return 2 if found.problems else 0
