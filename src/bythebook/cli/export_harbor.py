"""`bythebook export harbor`: deliverables tasks as task folders of Harbor."""

import re
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import click
from msgspec import Struct
from msgspec.structs import replace
from rich.markup import escape

from bythebook.cli.options import as_json, common, content
from bythebook.cli.speak import emit, tell
from bythebook.deliverables.task import load_tasks
from bythebook.errors import UsageError
from bythebook.interop.harbor.export import IMAGE, Exported, Terms, export, requirement
from bythebook.models.names import address

VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


class Ask(Struct, frozen=True, kw_only=True):
    """What was asked for of the tests and the images."""

    install: str
    judge: str | None
    judge_base_url: str
    judge_key_variable: str | None
    image: str


@click.command("harbor", short_help="Deliverables tasks in the folder format of Harbor.")
@click.option("--task", "tasks", multiple=True, metavar="ID", help="This task; else all of them.")
@click.option("--to", required=True, type=click.Path(path_type=Path), metavar="DIR")
@click.option(
    "--install",
    default=Terms().install,
    show_default=True,
    metavar="WHAT",
    help="What pip installs in the tests: a requirement, a .whl file, or a folder of sources.",
)
@click.option("--judge", metavar="model:PROVIDER:NAME", help="Who decides what checks leave open.")
@click.option("--judge-base-url", default="", metavar="URL", help="Where its model is served.")
@click.option("--judge-key-variable", metavar="NAME", help="Environment variable with its key.")
@click.option("--image", default=IMAGE, show_default=True, help="What both images begin from.")
@as_json
@common
def command(tasks: tuple[str, ...], to: Path, as_json: bool, **given: Any) -> None:
    """Write DIR/ID for each deliverables task: run it with `harbor run -p DIR/ID`.

    Its tests score what was handed over by the checks, or by checks and the judge.
    """
    ask = Ask(**given)
    asked = _terms(ask)
    chosen = load_tasks(content(), tasks)
    with TemporaryDirectory(prefix="bythebook-") as aside:
        wanted = requirement(ask.install, Path(aside))
        terms = replace(asked, install=wanted, image=_image(ask.image))
        found = [_exported(export(task, to, terms)) for task in chosen]
    if as_json:
        emit({"tasks": found})


def _exported(one: Exported) -> Exported:
    says = f"{one.checked} of {one.weight} points are decided by checks"
    tell(f"[bold]{escape(one.folder)}[/]  {says}")
    return one


def _terms(ask: Ask) -> Terms:
    judge, base_url = ask.judge, ask.judge_base_url
    if judge is None:
        if base_url or ask.judge_key_variable:
            raise UsageError("whose are they?", hint="--judge model:PROVIDER:NAME says who judges")
        return Terms()
    kind, _, model = judge.partition(":")
    if kind != "model":
        hint = "inside an image only a model can be asked: --judge model:PROVIDER:NAME"
        raise UsageError(f"{judge!r} cannot judge there", hint=hint)
    variable = ask.judge_key_variable or address(model, base_url).key_variable
    if variable and not VARIABLE.fullmatch(variable):
        raise UsageError(f"{variable!r} is no name of an environment variable")
    words = [f"--judge={judge}"]
    words += [f"--base-url={base_url}"] if base_url else []
    words += [f"--key-variable={variable}"] if variable else []
    return Terms(judge=tuple(words), variables=(variable,) if variable else ())


def _image(name: str) -> str:
    if not name or name.split() != [name]:
        raise UsageError(f"{name!r} is no name of an image")
    return name
