"""A task of Harbor as a deliverables task: instruction, inputs, rubric, and reference where its
solution is files. What cannot be carried over is named, and stands in the folder's `import.md`.

An exported task of our own comes back as it was. Nothing of a task is run, and nothing is proved.
"""

import re
import shutil
from collections.abc import Iterator, Mapping, Sequence
from hashlib import blake2b
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import Any, get_args

import msgspec
import yaml
from msgspec import Struct

from bythebook import yamlfile
from bythebook.deliverables.evidence.model import Kind
from bythebook.deliverables.task import DeliverableTask, Domain, TaskFile, Workflow, load_task
from bythebook.deliverables.workspace import OWN
from bythebook.errors import ContentError, UsageError
from bythebook.interop.harbor import layout
from bythebook.interop.harbor.dockerfile import Image, read_recipe
from bythebook.interop.harbor.items import items
from bythebook.interop.harbor.judges import Rubric, read_rubric
from bythebook.interop.harbor.place import Place
from bythebook.interop.harbor.wanted import wanted
from bythebook.task import Content

TASK_ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
CANARY = re.compile(r"^(<!--.*canary.*-->|#.*canary.*)$", re.IGNORECASE)
"""A first line that Harbor keeps from the agent."""
UNSAID = "not said in the task of Harbor"
UNPROVED = (
    "Imported from a task of Harbor. Nothing of it is proved: no item has a check, and nobody has"
    " read it here."
)
NOTES = "import.md"
RECIPE = ("Dockerfile", ".dockerignore")
OF_ITEMS = ("id", "says", "dimension", "level", "truth")
SETTINGS = ("mcp_servers", "healthcheck", "env", "skills_dir")
"""Of an environment, that are not carried over."""
DOMAINS: tuple[Domain, ...] = get_args(Domain)
NO_INPUTS = "task.md"
"""Stands for the inputs of a task that has none: the instruction itself."""


class Terms(Struct, frozen=True, kw_only=True):
    """What a task of Harbor does not say."""

    domain: Domain | None = None
    id: str = ""
    wants: tuple[str, ...] = ()


class Imported(Struct, frozen=True, kw_only=True):
    task: str
    folder: str
    items: int
    weight: int
    wants: tuple[str, ...]
    reference: bool
    lost: tuple[str, ...] = ()
    """What was not carried over."""
    changed: tuple[str, ...] = ()
    """What is another thing here than it was there."""


def bring(source: Path, to: Path, terms: Terms) -> Imported:
    """Make `to/tasks/deliverables/<id>` of the task folder `source`: whole or not at all.

    Raises `ContentError` for a folder that does not read as such a task, and `UsageError` for what
    has to be said by the caller.
    """
    place = Place(source)
    told, head = _config(place)
    own = _own(place)
    name = _id(terms.id or (own.name if own else _named(head, source)), source)
    final = to / "tasks" / "deliverables" / name
    if final.exists():
        hint = "name another with --id, or move this one away"
        raise UsageError("there is a task already", where=final, hint=hint)
    made = None if own else _drafted(place, (told, head), terms, name)
    to.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(prefix=".import.", dir=to) as aside:
        folder = Path(aside) / "tasks" / "deliverables" / name
        if own:
            shutil.copytree(own, folder)
        elif made:
            made.write(folder)
        task = _loaded(Path(aside), name, source)
        found = Imported(
            task=name,
            folder=str(final),
            items=len(task.rubric.items),
            weight=task.rubric.weight,
            wants=tuple(task.wants),
            reference=task.reference.is_dir(),
            lost=made.lost if made else (),
            changed=made.changed if made else (),
        )
        if made:
            (folder / NOTES).write_text(_notes(found, made.title), "utf-8")
        final.parent.mkdir(parents=True, exist_ok=True)
        folder.rename(final)
    return found


# --- what is there ------------------------------------------------------------------------------


class Head(Struct, frozen=True):
    """`[task]`."""

    name: str = ""
    description: str = ""
    keywords: tuple[str, ...] = ()


def _loaded(root: Path, name: str, source: Path) -> DeliverableTask:
    """What was made, as it will be read."""
    try:
        task = load_task(Content([root]), name)
        _ = task.rubric
    except ContentError as error:
        what = f"no task can be made of it: {error.what}"
        raise ContentError(what, where=source, hint=error.hint) from None
    return task


def _config(place: Place) -> tuple[dict[str, Any], Head]:
    """`task.toml`, as far as a task of files can be made of it."""
    told = place.toml(layout.CONFIG)
    where = place.root / layout.CONFIG
    for name in ("task", "metadata", "environment"):
        if not isinstance(told.get(name, {}), dict):
            raise ContentError(f"`{name}` is no table", where=where, hint=f"write [{name}]")
    if told.get("steps"):
        hint = "a task here has one request; import the folder of one step as a task"
        raise ContentError("it has several steps", where=where, hint=hint)
    return told, yamlfile.fit(told.get("task", {}), Head, where=where)


def _own(place: Place) -> Path | None:
    """The task as it was, in an exported task of our own."""
    start = f"{layout.TESTS}/{layout.CONTENT}/tasks/deliverables"
    names = {name.partition("/")[0] for name in place.below(start) if name.endswith("/task.yaml")}
    return place.root / start / names.pop() if len(names) == 1 else None


def _named(head: Head, source: Path) -> str:
    """The last part of a task's name, as an id may be written."""
    name = (head.name or source.resolve().name).rpartition("/")[2]
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")


def _id(name: str, source: Path) -> str:
    if not TASK_ID.fullmatch(name):
        hint = "--id names it: lower-case words and digits with dashes, as in biz-90-mileage"
        raise UsageError(f"{name!r} is no id of a task", where=source, hint=hint)
    return name


# --- what is made of it -------------------------------------------------------------------------


class Draft(Struct, frozen=True, kw_only=True):
    """The parts of a task folder that is to be written."""

    title: str
    file: TaskFile
    prompt: str
    rubric: bytes
    inputs: dict[str, Path | str]
    """Name to a file, or to its text."""
    reference: dict[str, Path]
    lost: tuple[str, ...]
    changed: tuple[str, ...]

    def write(self, folder: Path) -> None:
        folder.mkdir(parents=True)
        for name, value in (("task.yaml", _yaml(self.file)), ("prompt.md", self.prompt)):
            (folder / name).write_text(value, "utf-8")
        (folder / "rubric.yaml").write_bytes(self.rubric)
        for name, path in self.inputs.items():
            _put(path, folder / "inputs" / name)
        for name, path in self.reference.items():
            _put(path, folder / "reference" / name)


def _drafted(place: Place, config: tuple[dict[str, Any], Head], terms: Terms, name: str) -> Draft:
    told, head = config
    rubric = read_rubric(place)
    asked, changed = _instruction(place), list[str]()
    image, lost = _image(place, told)
    inputs, left = _inputs(place, image)
    wants = wanted(place, told, rubric, terms.wants, frozenset(inputs), asked)
    reference, without = _reference(place, wants)
    found = items(rubric.asked, changed)
    title = (head.description.strip() or name).splitlines()[0]
    canary = blake2b(f"harbor {name}".encode(), digest_size=16).hexdigest()
    kept = {"items": [{name: getattr(item, name) for name in OF_ITEMS} for item in found]}
    return Draft(
        title=title,
        file=TaskFile(
            title=title,
            domain=_domain(told, terms, place),
            wants=wants,
            workflow=Workflow(f"a task of Harbor: {title}", UNSAID, UNSAID),
            canary=f"bythebook-canary-{canary}",
            tags=("harbor", *head.keywords),
        ),
        prompt=_prompt(asked, wants, image.workdir),
        rubric=_dumped(_without_defaults(kept)).encode(),
        inputs=inputs or {NO_INPUTS: asked},
        reference=reference,
        lost=(*lost, *left, *rubric.lost, *without, *_scripts(place, rubric)),
        changed=tuple(changed),
    )


def _instruction(place: Place) -> str:
    lines = place.text(layout.INSTRUCTION).splitlines()
    while lines and (not lines[0].strip() or CANARY.match(lines[0].strip())):
        lines = lines[1:]
    text = "\n".join(lines).strip()
    if not text:
        raise ContentError("nothing is asked in it", where=place.root / layout.INSTRUCTION)
    return text


def _image(place: Place, told: Mapping[str, Any]) -> tuple[Image, list[str]]:
    """The image's working folder and files; what else makes it is lost, in words."""
    beside = _beside(place)
    name = f"{layout.ENVIRONMENT}/Dockerfile"
    lost = [f"{layout.ENVIRONMENT}/{file}: services are not started here"
            for file in beside if "compose" in file]  # fmt: skip
    settings = told.get("environment", {})
    lost += [f"{layout.CONFIG}: [environment] {key}" for key in SETTINGS if settings.get(key)]
    if settings.get("docker_image"):
        lost.append(f"{layout.CONFIG}: the image {settings['docker_image']} and what is in it")
    if name not in place.files:
        return Image(layout.APP, {}, ()), lost
    image = read_recipe(place.text(name), beside, str(place.root / name))
    return image, [*lost, *(f"{name}: {step}" for step in image.lost)]


def _beside(place: Place) -> dict[str, Path]:
    """What lies beside the recipe of the image."""
    found = place.below(layout.ENVIRONMENT)
    return {name: path for name, path in found.items() if name not in RECIPE}


def _inputs(place: Place, image: Image) -> tuple[dict[str, Path | str], list[str]]:
    found, lost = dict[str, Path | str](), list[str]()
    beside = _beside(place)
    for name, source in sorted(image.files.items()):
        parts = PurePosixPath(name).parts
        if parts[0] in OWN or any(part.startswith(".") for part in parts):
            lost.append(f"{layout.ENVIRONMENT}/{source}: {name} has no place among the inputs")
        else:
            found[name] = beside[source]
    used = set(image.files.values())
    lost += [
        f"{layout.ENVIRONMENT}/{name}: is not copied into the working folder"
        for name in beside
        if name not in used and "compose" not in name
    ]
    if not found:
        lost.append(f"it has no inputs that are files: inputs/{NO_INPUTS} repeats the instruction")
    return found, lost


def _reference(place: Place, wants: Mapping[str, Kind]) -> tuple[dict[str, Path], list[str]]:
    """Files of the solution that are named as wanted ones."""
    found, lost = dict[str, Path](), list[str]()
    for name, path in place.below(layout.SOLUTION).items():
        last = PurePosixPath(name).name
        if last in wants and last not in found:
            found[last] = path
        else:
            says = "a script, which was not run" if path.suffix in (".sh", ".py", ".bat") else (
                "named as no wanted file"
            )  # fmt: skip
            lost.append(f"{layout.SOLUTION}/{name}: {says}")
    if not found:
        lost.append("no reference: its solution has no file that is wanted")
    elif len(found) < len(wants):
        missing = ", ".join(name for name in wants if name not in found)
        lost.append(f"the reference is not whole: its solution has no {missing}")
    return found, lost


def _scripts(place: Place, rubric: Rubric) -> Iterator[str]:
    """Tests that are no rubric."""
    read = {one.file for one in rubric.asked}
    for name in place.below(layout.TESTS):
        path = f"{layout.TESTS}/{name}"
        if path not in read and path.endswith((".sh", ".py", ".bat")):
            yield f"{path}: what a script tests is not tested here"


def _domain(told: Mapping[str, Any], terms: Terms, place: Place) -> Domain:
    metadata = told.get("metadata", {})
    for name in (terms.domain, metadata.get("domain"), metadata.get("category")):
        for domain in DOMAINS:
            if name == domain:
                return domain
    hint = f"--domain names one of {', '.join(DOMAINS)}"
    raise UsageError("it does not say its domain", where=place.root, hint=hint)


def _prompt(asked: str, wants: Mapping[str, Kind], workdir: str) -> str:
    names = ", ".join(f"`{name}`" for name in wants)
    return (
        f"{asked}\n\n# Where the files lie\n\nThe task's files lie in the workspace itself; that is"
        f" the folder that the text above may call `{workdir}`. What you hand over goes into"
        f" `results/`: {names}.\n"
    )


# --- files --------------------------------------------------------------------------------------


def _put(path: Path | str, to: Path) -> None:
    to.parent.mkdir(parents=True, exist_ok=True)
    if isinstance(path, str):
        to.write_text(path, "utf-8")
    else:
        shutil.copyfile(path, to)


def _yaml(value: Struct) -> str:
    return _dumped(_without_defaults(msgspec.to_builtins(value)))


def _without_defaults(value: Any) -> Any:
    """Without what is null or empty."""
    if isinstance(value, Mapping):
        kept = {key: _without_defaults(one) for key, one in value.items()}
        return {key: one for key, one in kept.items() if one not in (None, "", [], {}, ())}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_without_defaults(one) for one in value]
    return value


def _dumped(value: Any) -> str:
    text: str = yaml.safe_dump(value, sort_keys=False, allow_unicode=True, width=100)
    return text


def _notes(found: Imported, title: str) -> str:
    """What came of the import, for whoever works on with the task."""
    lines = [f"# {title}", "", UNPROVED, ""]
    for head, told in (("Not carried over", found.lost), ("Changed", found.changed)):
        lines += [f"## {head}", "", *(f"* {one}" for one in told or ("nothing",)), ""]
    return "\n".join(lines)
