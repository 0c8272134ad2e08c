"""`bythebook harness`: agent programs of others, on this machine."""

from typing import Any

import click
from rich.markup import escape
from rich.table import Table

from bythebook.cli.options import as_json, common
from bythebook.cli.speak import emit, people, tell
from bythebook.harness.harnesses import HARNESSES, named
from bythebook.harness.install import Recipe, find, install, place, remove

names = click.argument("names", nargs=-1, required=True, metavar="NAME...")


@click.group("harness", invoke_without_command=True)
@as_json
@common
@click.pass_context
def command(ctx: click.Context, as_json: bool) -> None:
    """Agent programs of others: which there are, which are installed, and installing them.

    Each is kept in an environment of its own under your cache folder. NAME==VERSION asks for
    another version than the one that was tried.
    """
    if ctx.invoked_subcommand is not None:
        return
    rows = [_row(harness.recipe) for harness in HARNESSES.values()]
    if as_json:
        emit({"harnesses": rows})
        return
    table = Table(box=None, pad_edge=False, header_style="bold")
    for title in ("harness", "version", "installed", "MiB", "package"):
        table.add_column(title, justify="right" if title == "MiB" else "left")
    for row in rows:
        yes = "yes" if row["installed"] else "no"
        table.add_row(row["name"], row["version"], yes, str(row["mib"]), row["package"])
    people().print(table)
    if not all(row["installed"] for row in rows):
        tell("bythebook harness install NAME   brings one")


@command.command("install")
@names
@click.option("--again", is_flag=True, help="Make it anew, though it is there.")
@as_json
@common
def bring(names: tuple[str, ...], again: bool, as_json: bool) -> None:
    """Install harnesses from the Python package index."""
    recipes = [named(name).recipe for name in names]
    for recipe in recipes:
        if find(recipe) is not None and not again:
            tell(f"{recipe.name} {recipe.version} is there: {escape(str(place(recipe)))}")
            continue
        tell(f"{recipe.name} {recipe.version}: {recipe.requirement}, about {recipe.mib} MiB")
        _install(recipe, again=again)
    if as_json:
        emit({"harnesses": list(map(_row, recipes))})


@command.command("remove")
@names
@as_json
@common
def take(names: tuple[str, ...], as_json: bool) -> None:
    """Take harnesses away from this machine."""
    rows: list[dict[str, Any]] = []
    for recipe in [named(name).recipe for name in names]:
        there = remove(recipe, tell)
        rows.append(_row(recipe) | {"was_there": there})
        tell(f"{recipe.name} {recipe.version} {'is gone' if there else 'was not there'}")
    if as_json:
        emit({"harnesses": rows})


def _row(recipe: Recipe) -> dict[str, Any]:
    found = find(recipe)
    return {
        "name": recipe.name,
        "version": recipe.version,
        "installed": found is not None,
        "mib": recipe.mib if found is None else found.mib,
        "package": recipe.requirement,
        "folder": None if found is None else str(found.folder),
    }


def _install(recipe: Recipe, *, again: bool) -> None:
    """With what is being done in one line at a terminal, and every line elsewhere."""
    console = people()
    if not console.is_terminal:
        found = install(recipe, lambda line: tell(f"  {escape(line)}"), again=again)
    else:
        with console.status(recipe.name) as status:
            shown = console.width - 4
            found = install(recipe, lambda line: status.update(escape(line[:shown])), again=again)
    tell(f"{recipe.name} {recipe.version} is in {escape(str(found.folder))} ({found.mib} MiB)")
