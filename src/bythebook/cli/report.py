"""`bythebook report`: the site, and every table of both papers in any form."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import click
from msgspec import Struct
from msgspec.structs import replace
from rich.markup import escape

from bythebook import __version__
from bythebook.cli.options import as_json, common, content
from bythebook.cli.speak import complain, counted, emit, page, tell
from bythebook.deliverables.judge.labels import Label, read_labels
from bythebook.errors import UsageError, suggestion
from bythebook.report.data import Evaluation, Evaluations, read_evaluations
from bythebook.report.figure import Figure
from bythebook.report.published.rows import with_published
from bythebook.report.render.csv import csv
from bythebook.report.render.html import html
from bythebook.report.render.junit import junit
from bythebook.report.render.latex import latex
from bythebook.report.render.markdown import markdown
from bythebook.report.render.summary import summary
from bythebook.report.render.terminal import show
from bythebook.report.table import Table
from bythebook.report.tables import CONDUCT, DELIVERABLES, FIRST, OF_CONTENT, TABLES, table
from bythebook.run.durable import write_whole

WRITTEN: Mapping[str, Callable[[Table], str]] = {
    "markdown": markdown,
    "csv": csv,
    "latex": latex,
    "html": html,
}
"""Forms of one table."""
WHOLE = ("junit", "summary")
"""Forms of all evaluations together."""
FORMATS = ("terminal", *WRITTEN, "json", *WHOLE)
LISTS = ("conduct-cases", "deliverables-cases")
"""A line a case: too long for a document that holds everything."""


class Ask(Struct, frozen=True, kw_only=True):
    """What was asked for, option by option."""

    given: tuple[str, ...]
    to: Path | None
    tables: tuple[str, ...]
    form: str
    listed: bool
    published: bool
    specialised: tuple[str, ...]
    labels: tuple[str, ...]
    replay: str
    images: bool
    figures: Path | None
    png: bool
    as_json: bool


class Told(Struct, frozen=True):
    """An evaluation as `--json` names it."""

    label: str
    folder: str
    suite: str
    agent: str
    model: str
    condition: str
    runs: int


class Document(Struct, frozen=True):
    """What `--json` prints."""

    version: str
    evaluations: tuple[Told, ...]
    tables: tuple[Table, ...]
    problems: tuple[str, ...]


@click.command("report")
@click.argument("given", metavar="[NAME=]DIR...", nargs=-1)
@click.option("--to", metavar="SITE", type=click.Path(path_type=Path), help="Write a site there.")
@click.option("--table", "tables", multiple=True, metavar="ID", help="This table; may be repeated.")
@click.option(
    "--format", "form", type=click.Choice(FORMATS), default="terminal", help="Form of tables."
)
@click.option("--list", "listed", is_flag=True, help="Name the tables there are.")
@click.option("--published", is_flag=True, help="Show the papers' own figures beside, labelled so.")
@click.option(
    "--specialised",
    multiple=True,
    metavar="NAME",
    help="This evaluation is of a system made for such tasks.",
)
@click.option(
    "--labels",
    multiple=True,
    metavar="[NAME=]CSV",
    help="People's labels: task, run, item, label[, rater].",
)
@click.option(
    "--replay",
    type=click.Choice(["all", "none", "some"]),
    default="some",
    show_default=True,
    help="Runs that the site replays; some: one for each task, agent and outcome.",
)
@click.option("--images", is_flag=True, help="Draw pages of what was handed over into the site.")
@click.option(
    "--figures",
    metavar="DIR",
    type=click.Path(path_type=Path),
    help="Write the figures there: SVG.",
)
@click.option("--png", is_flag=True, help="With --figures: as PNG, too, drawn by Chromium.")
@as_json
@common
def command(**given: Any) -> int:
    """Show what evaluations came to: tables, or a site that opens without a server.

    DIR is a folder that `run` made, or one that holds some; NAME= is what it goes by. Without
    --table or --to the first tables are shown; --list names all. Nothing is judged again: see
    `score`.
    """
    ask = Ask(**given)
    if ask.listed:
        return _list(ask)
    evaluations = _evaluations(ask)
    if ask.to is not None or ask.figures is not None:
        _drawn(ask, evaluations)
    elif ask.form in WHOLE and not ask.as_json:
        _whole(ask, evaluations)
    else:
        _tables(ask, evaluations)
    for problem in evaluations.problems:
        complain(problem)
    return 2 if evaluations.problems else 0


def named(given: Sequence[str]) -> tuple[list[str], list[Path]]:
    """Names and folders of arguments such as `gpt=runs/a`; without a name it is empty. A folder
    whose own name holds a `=` is taken as it is."""
    names, folders = [], []
    for word in given:
        name, mark, folder = word.partition("=")
        plain = not mark or Path(word).exists()
        names.append("" if plain else name)
        folders.append(Path(word if plain else folder))
    return names, folders


def _evaluations(ask: Ask) -> Evaluations:
    if not ask.given:
        if not ask.tables or set(ask.tables) - set(OF_CONTENT):
            hint = "name a folder that `run` made; tables without one: " + ", ".join(OF_CONTENT)
            raise UsageError("of which evaluations?", hint=hint)
        return Evaluations((), content())
    names, folders = named(ask.given)
    found = read_evaluations(folders, content(), named=names)
    known = [one.label for one in found.every]
    for label in ask.specialised:
        if label not in known:
            raise UsageError(f"no evaluation {label!r}", hint=suggestion(label, known))
    return Evaluations(
        found.every, found.content, frozenset(ask.specialised), _people(ask.labels, found)
    )


def _people(given: Sequence[str], found: Evaluations) -> dict[str, tuple[Label, ...]]:
    """Labels by evaluation; without a name they are of the only one of deliverables."""
    names, paths = named(given)
    every = [one.label for one in found.of("deliverables")]
    labels: dict[str, tuple[Label, ...]] = {}
    for name, path in zip(names, paths, strict=True):
        if not name and len(every) != 1:
            hint = f"--labels NAME={path}; names: {', '.join(every) or 'none'}"
            raise UsageError("whose labels are these?", where=path, hint=hint)
        if name and name not in every:
            raise UsageError(f"no evaluation {name!r}", hint=suggestion(name, every))
        labels[name or every[0]] = read_labels(path)
    return labels


# --- tables -------------------------------------------------------------------------------------


def _list(ask: Ask) -> int:
    if ask.as_json:
        emit({"tables": list(TABLES)})
    else:
        page().print("\n".join(TABLES))
    return 0


def _tables(ask: Ask, evaluations: Evaluations) -> None:
    made = [_made(ask, name, evaluations) for name in _wanted(ask, evaluations)]
    if ask.as_json or ask.form == "json":
        told = tuple(map(_told, evaluations.every))
        emit(Document(__version__, told, tuple(made), evaluations.problems))
    elif ask.form == "terminal":
        show(page(), made)
    else:
        click.echo("\n".join(map(WRITTEN[ask.form], made)), nl=False)


def _wanted(ask: Ask, evaluations: Evaluations) -> list[str]:
    if ask.tables:
        return list(ask.tables)
    if ask.as_json:
        return [name for name in TABLES if name not in LISTS]
    first = [name for name in FIRST if name in CONDUCT and evaluations.of("conduct")]
    return first + [n for n in FIRST if n in DELIVERABLES and evaluations.of("deliverables")]


def _made(ask: Ask, name: str, evaluations: Evaluations) -> Table:
    found = table(name, evaluations)
    return with_published(found) if ask.published else found


def _told(one: Evaluation) -> Told:
    condition = one.plan.condition if one.plan is not None else one.scores.condition
    return Told(
        one.label, str(one.folder.root), one.suite, one.agent, one.model, condition, len(one.runs)
    )


def _whole(ask: Ask, evaluations: Evaluations) -> None:
    if ask.tables:
        raise UsageError(f"--format {ask.form} tells of whole evaluations, not of a table")
    told = junit(evaluations.every) if ask.form == "junit" else summary(evaluations)
    click.echo(told, nl=False)


# --- the site, and figures ------------------------------------------------------------------------


def _drawn(ask: Ask, evaluations: Evaluations) -> None:
    # What draws is loaded only by who wants it.
    from bythebook.report.figures import figures_of

    made = [one for n in ask.tables or TABLES if (one := _made(ask, n, evaluations)).rows]
    figures = tuple(figures_of(made))
    if ask.figures is not None:
        _figures(figures, ask.figures, png=ask.png)
        if ask.as_json and ask.to is None:
            drawn = [{"id": one.id, "title": one.title} for one in figures]
            emit({"folder": str(ask.figures), "figures": drawn})
    if ask.to is not None:
        _site(ask, ask.to, evaluations, tuple(made), figures)


def _figures(figures: Sequence[Figure], to: Path, *, png: bool) -> None:
    """Each under its id."""
    from bythebook.report.figures.picture import write_png

    for figure in figures:
        write_whole(to / f"{figure.id}.svg", figure.svg.encode())
        if png:
            write_png(figure, to / f"{figure.id}.png")
        tell(escape(f"{to / figure.id}.svg  {figure.title}"))
    if not figures:
        tell("there is nothing to draw")


def _site(
    ask: Ask,
    to: Path,
    evaluations: Evaluations,
    tables: tuple[Table, ...],
    figures: tuple[Figure, ...],
) -> None:
    from bythebook.cli.reading import reader
    from bythebook.report.site.build import Asked, build_site

    if ask.images:
        tell("drawing pages of what was handed over; it takes some seconds a file ...")
    asked = replace(Asked(), replay=ask.replay, images=ask.images, tables=tables, figures=figures)
    built = build_site(evaluations, to, asked, reader())
    if ask.as_json:
        emit(built)
    else:
        tell(
            f"{counted(built.evaluations, 'evaluation')}, {counted(built.runs, 'run')},"
            f" {built.replays} of them replayed;"
            f" {built.bytes / 2**20:.1f} MiB"
        )
        tell(f"open {escape(built.page)}")
    for note in built.notes:
        tell(f"[yellow]note:[/] {escape(note)}")
