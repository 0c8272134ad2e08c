"""`bythebook new`: tasks, tools, papers and more of your own, to begin with and to change."""

import json
import re
from collections.abc import Mapping
from hashlib import blake2b
from keyword import iskeyword
from pathlib import Path
from string import ascii_uppercase

import click
from rich.markup import escape

from bythebook.cli import new_check
from bythebook.cli.options import as_json, asked, common
from bythebook.cli.speak import emit, tell
from bythebook.conduct.company import Company, load_company
from bythebook.conduct.counter import BASE
from bythebook.conduct.task import load_task
from bythebook.deliverables.task import load_task as load_deliverable
from bythebook.errors import UsageError
from bythebook.run.durable import write_whole
from bythebook.task import SUITES, Content, Suite

SCAFFOLDS = Path(__file__).with_name("scaffolds")
OFFICE = (".xlsx", ".docx")
"""Suffixes of files that are copied as they are."""
TASK_ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
TOOL_NAME = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")

to = click.option(
    "--to",
    required=True,
    metavar="DIR",
    type=click.Path(path_type=Path),
    help="Your content folder; give it to other commands as --content DIR.",
)


@click.group("new")
def command() -> None:
    """Begin a task, a company, a tool, a document or a check of your own: scaffolds that load.

    A task's scaffold is small and complete: `bythebook prove` proves it as it stands.
    """


@command.command("task")
@click.argument("task_id", metavar="ID")
@click.option("--suite", type=click.Choice(SUITES), default="conduct", show_default=True)
@to
@as_json
@common
def task(task_id: str, suite: Suite, to: Path, as_json: bool) -> None:
    """A whole small task: of conduct, with a desk, documents and a procedure of its own; of
    deliverables, with inputs, right answers, a rubric and faults.

    The first conduct task in DIR brings company/ files along; later ones find them there.
    """
    _check(task_id, TASK_ID, "a task's id", "lower-case words and digits with dashes: q90-visitor")
    folder = to / "tasks" / suite / task_id
    if folder.exists():
        raise UsageError("there is something already", where=folder)
    canary = blake2b(f"scaffold {task_id}".encode(), digest_size=16).hexdigest()
    known = {"TASK": task_id, "CANARY": canary}
    if suite == "deliverables":
        written = _write("deliverable", to, known)
        _ = load_deliverable(Content([to]), task_id).rubric
        agent = "fault:trip_missing"
    else:
        written = _write("task", to, known, skip_existing="company/")
        content, company = _load(to)
        load_task(content, company, task_id)
        agent = "shortcut"
    _tell(written, {"suite": suite, "task": task_id}, as_json=as_json)
    tell(f"prove it:  bythebook prove {suite} --task {task_id} --content {escape(str(to))}")
    play = f"bythebook run {suite} --task {task_id} --agent {agent} --content {to}"
    tell(f"play it:   {escape(play)}")


@command.command("company")
@click.argument("name")
@to
@as_json
@common
def company_of_ones_own(name: str, to: Path, as_json: bool) -> None:
    """A company of your own: nothing that ships is in it, neither papers nor tools nor tasks.

    Without it DIR adds to the shipped company. NAME is what agents are told they work for.
    """
    if not name.strip() or "\n" in name:
        raise UsageError("a company has a name", hint='such as "The Corner Shop"')
    written = _write("company", to, {"NAME": json.dumps(name, ensure_ascii=False)})
    _load(to)
    _tell(written, {"company": name}, as_json=as_json)
    tell(f"add to it with `bythebook new document` and `new tool`, --to {escape(str(to))}")


@command.command("tool")
@click.argument("name")
@click.option("--desk", required=True, metavar="DESK", help="The desk it stands on: a word.")
@to
@as_json
@common
def tool(name: str, desk: str, to: Path, as_json: bool) -> None:
    """A tool that writes, its record, and a manual that names it."""
    _check(name, TOOL_NAME, "a tool's name", "lower-case words with underscores: book_courier")
    _check(desk, TOOL_NAME, "a desk's name", "one lower-case word: logistics")
    _content, company = _load(to)
    known_tool = company.tools.get(name) or BASE.get(name)
    if known_tool is not None:
        raise UsageError(f"there is a tool {name!r} on desk {known_tool.desk!r} already")
    words = name.split("_")
    known = {
        "NAME": name,
        "DESK": desk,
        "SLUG": "-".join(words),
        "TITLE": " ".join(words).capitalize(),
        "CLASS": "".join(word.capitalize() for word in words) + "Record",
        "PREFIX": _prefix(words, {kind.prefix for kind in company.kinds.values()}),
    }
    written = _write("tool", to, known)
    _load(to)
    _tell(written, {"tool": name, "desk": desk}, as_json=as_json)
    tell(f"an agent finds it by search_tools; documents name it as `{name}`")


@command.command("document")
@click.argument("document_id", metavar="ID")
@to
@as_json
@common
def document(document_id: str, to: Path, as_json: bool) -> None:
    """A document with front matter and numbered clauses. ID may end in -v1, -v2 ...

    A further edition begins as a draft, since only one can be in force on a day.
    """
    _check(document_id, TASK_ID, "a document's id", "lower-case words with dashes: gift-policy-v1")
    _content, company = _load(to)
    if document_id in company.library.documents:
        where = company.library.documents[document_id].path
        raise UsageError(f"there is a document {document_id!r} already", where=where)
    family = re.sub(r"-v\d+$", "", document_id)
    title = family.replace("-", " ").capitalize()
    editions = [d for d in company.library.families.get(family, ()) if d.front.binding]
    known = {
        "ID": document_id,
        "FAMILY": family,
        "TITLE": title,
        "STATUS": "draft" if editions else "in force",
    }
    written = _write("document", to, known)
    _load(to)
    _tell(written, {"document": document_id, "status": known["STATUS"]}, as_json=as_json)
    if editions:
        tell("it is a draft: end the edition before it, set its own period, and put it in force")


command.add_command(new_check.command)


def _prefix(words: list[str], taken: set[str]) -> str:
    """The initials, with a letter more where another table's ids begin so."""
    initials = "".join(word[0] for word in words).upper()
    free = (initials + letter for letter in ("", *ascii_uppercase))
    return next((prefix for prefix in free if prefix not in taken), initials)


def _check(name: str, form: re.Pattern[str], what: str, example: str) -> None:
    if not form.fullmatch(name) or iskeyword(name):
        raise UsageError(f"{name!r} is not {what}", hint=example)


def _load(to: Path) -> tuple[Content, Company]:
    """The content as it is with DIR, checked whole; a DIR that is not there yet is left out."""
    own = [to] if to.is_dir() else []
    roots = [root for root in asked().roots if root.resolve() != to.resolve()]
    content = Content([*own, *roots])
    return content, load_company(content)


def _write(
    scaffold: str, to: Path, known: Mapping[str, str], *, skip_existing: str = ""
) -> list[Path]:
    """Copy a scaffold with its @WORDS@ filled in. Nothing is written over.

    A file below `skip_existing` that is there already is left as it is.
    """
    source = SCAFFOLDS / scaffold
    files: dict[Path, bytes] = {}
    for path in sorted(p for p in source.rglob("*") if p.is_file()):
        relative = path.relative_to(source).as_posix().removesuffix(".txt")
        target = to / _filled(relative, known, mark="")
        if target.exists():
            if skip_existing and relative.startswith(skip_existing):
                continue
            raise UsageError("there is a file already", where=target)
        data = path.read_bytes()
        office = path.suffix in OFFICE
        files[target] = data if office else _filled(data.decode(), known, mark="@").encode()
    for target, data in files.items():
        write_whole(target, data)
    return list(files)


def _filled(text: str, known: Mapping[str, str], *, mark: str) -> str:
    for word, value in known.items():
        text = text.replace(f"{mark}{word}{mark}", value)
    return text


def _tell(written: list[Path], made: dict[str, str], *, as_json: bool) -> None:
    """What was written; for programs with what it is."""
    if as_json:
        emit(made | {"wrote": list(map(str, written))})
    for path in written:
        tell(f"wrote {escape(str(path))}")
