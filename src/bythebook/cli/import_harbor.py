"""`bythebook import harbor`: tasks of Harbor with rubric judges as deliverables tasks."""

from pathlib import Path

import click
from rich.markup import escape

from bythebook.cli.options import as_json, common
from bythebook.cli.speak import complain_of, emit, tell
from bythebook.errors import BythebookError, ContentError, UsageError
from bythebook.interop.harbor.incoming import DOMAINS, Imported, Terms, bring
from bythebook.interop.harbor.layout import CONFIG


@click.command("harbor", short_help="Tasks of Harbor, as deliverables tasks.")
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@click.option("--to", required=True, type=click.Path(path_type=Path), metavar="CONTENT")
@click.option("--id", "name", default="", metavar="ID", help="Its id here; else from its name.")
@click.option("--domain", type=click.Choice(DOMAINS), help="Where its task.toml names none.")
@click.option(
    "--wants", multiple=True, metavar="NAME", help="A file to be handed over; may be repeated."
)
@as_json
@common
def command(
    folder: Path, to: Path, name: str, domain: str | None, wants: tuple[str, ...], as_json: bool
) -> int:
    """Make deliverables tasks in CONTENT of the Harbor task DIR, or of all tasks below DIR.

    What its judges are asked becomes the rubric. Nothing of a task is run; what cannot be carried
    over is named here and in the task's import.md. Then: run and judge it with --content CONTENT.
    """
    sources = _sources(folder)
    if name and len(sources) > 1:
        raise UsageError("--id is for one task", where=folder, hint="name the folder of that task")
    terms = Terms(
        id=name, domain=next((one for one in DOMAINS if one == domain), None), wants=wants
    )
    found, problems = list[Imported](), list[BythebookError]()
    for source in sources:
        try:
            found.append(bring(source, to, terms))
            _tell(found[-1])
        except (ContentError, UsageError) as error:
            problems.append(error)
            complain_of(error)
    if as_json:
        emit({"tasks": found, "problems": [str(error) for error in problems]})
    return 2 if problems else 0


def _sources(folder: Path) -> list[Path]:
    if not folder.is_dir():
        raise UsageError("no such folder", where=folder)
    if (folder / CONFIG).exists():
        return [folder]
    found = [path.parent for path in sorted(folder.glob(f"*/{CONFIG}"))]
    if not found:
        hint = "name the folder of a task, or one whose folders are tasks"
        raise UsageError(f"no {CONFIG} is in it or in a folder of it", where=folder, hint=hint)
    return found


def _tell(one: Imported) -> None:
    right = "with a reference" if one.reference else "without a reference"
    tell(f"[bold]{escape(one.folder)}[/]  {one.items} items, {right}")
    for head, told in (("not carried over", one.lost), ("changed", one.changed)):
        for line in told:
            tell(f"  {head}: {escape(line)}")
