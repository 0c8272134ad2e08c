"""Drafts asked of a model, or of anybody by hand: a scenario, a request, scoring points.

A draft is a beginning. It answers none of the questions that a gate asks, and no gate is passed by
it. What a person has written is never written over.
"""

from collections.abc import Iterator
from pathlib import Path

import msgspec
import yaml

from bythebook import yamlfile
from bythebook.build.deliverable.place import Page, Place, R
from bythebook.build.deliverable.records import Material, Record, Wanted
from bythebook.build.deliverable.requirements import plain
from bythebook.build.mind import Answered, Mind, Question, filled, taking
from bythebook.deliverables.rubric import Dimension, Level
from bythebook.errors import UsageError, suggestion
from bythebook.run.durable import write_whole

PROMPTS = Path(__file__).with_name("prompts")
STAGE = "drafts"


class ScenarioDraft(Record, frozen=True, kw_only=True):
    interviews: tuple[str, ...]
    title: str
    user: str
    says: str
    steps: tuple[str, ...]
    deliverables: tuple[Wanted, ...]
    materials: tuple[Material, ...]


class QueryDraft(Record, frozen=True, kw_only=True):
    prompt: str
    open: tuple[str, ...]


class ItemDraft(Record, frozen=True, kw_only=True):
    id: str
    says: str
    dimension: Dimension
    level: Level
    asked: str
    """Words of the request; empty: nobody asked for it in words."""
    why: str


class RubricDraft(Record, frozen=True, kw_only=True):
    items: tuple[ItemDraft, ...]


class Drafted(msgspec.Struct, frozen=True, kw_only=True):
    """What came of asking."""

    written: tuple[Path, ...] = ()
    open: tuple[str, ...] = ()
    """What the draft leaves to somebody."""
    waiting: tuple[Path, ...] = ()
    wrong: dict[str, str] = {}


def draft_scenario(place: Place, mind: Mind, product: str, name: str) -> Drafted:
    """From the interviews about a product to `scenarios/NAME.yaml`."""
    place.need("product", product)
    interviews = place.interviews_of(product)
    if not interviews:
        hint = "write interviews/ID.yaml first: `new interview ID`"
        raise UsageError(f"nobody was asked about {product}", where=place.root, hint=hint)
    told = {
        "PRODUCT": _text(place.product(product)),
        "INTERVIEWS": "\n\n".join(f"### {key}\n\n{_text(p)}" for key, p in interviews.items()),
        "NAMES": ", ".join(interviews),
    }
    path = _free(place.path("scenario", name))

    def problems(_: Question, found: ScenarioDraft) -> Iterator[str]:
        for one in found.interviews:
            if one not in interviews:
                yield f"there is no interview {one!r}; {suggestion(one, interviews)}"
        yield from (f"{field} is empty" for field in _empty(found))

    take = taking(ScenarioDraft, problems)
    answered = mind.answers([_question("scenario", name, told)], take)
    if name not in answered.taken:
        return _unfinished(answered)
    value = {"product": product, **_plainly(answered.taken[name])}
    return Drafted(written=(_write(path, value),))


def draft_query(place: Place, mind: Mind, scenario: str) -> Drafted:
    """From a scenario to a request: `drafts/SCENARIO/prompt.md`."""
    place.need("scenario", scenario)
    page = place.scenario(scenario)
    wanted = [one.name for one in page.value.deliverables]
    told = {"SCENARIO": _text(page), "WANTED": ", ".join(wanted)}
    path = _free(place.root / STAGE / scenario / "prompt.md")

    def problems(_: Question, found: QueryDraft) -> Iterator[str]:
        for name in wanted:
            if name not in found.prompt:
                yield f"the text does not name {name}: it has to be asked for by that name"

    take = taking(QueryDraft, problems)
    answered = mind.answers([_question("query", scenario, told)], take)
    if scenario not in answered.taken:
        return _unfinished(answered)
    draft = answered.taken[scenario]
    write_whole(path, (draft.prompt.rstrip() + "\n").encode())
    return Drafted(written=(path,), open=draft.open)


def draft_rubric(place: Place, mind: Mind, task: str) -> Drafted:
    """From a task's request and inputs to `rubric.draft.yaml` and `requirements.draft.yaml` beside
    its record."""
    place.need("task", task)
    folder, record = place.folder(task), place.record(task)
    prompt = folder / "prompt.md"
    if not record.value.folder or not prompt.is_file():
        hint = "write the request first: `draft query` begins one"
        raise UsageError("there is no prompt.md", where=prompt, hint=hint)
    request = yamlfile.read_text(prompt)
    told = {
        "SCENARIO": _text(place.scenario(record.value.scenario)),
        "PROMPT": request,
        "INPUTS": "\n".join(_inputs(folder / "inputs")) or "none yet",
    }
    paths = [_free(record.path.with_name(f"{name}.draft.yaml")) for name in RUBRIC]

    take = taking(RubricDraft, lambda _, found: _amiss(found, request))
    answered = mind.answers([_question("rubric", task, told)], take)
    if task not in answered.taken:
        return _unfinished(answered)
    items = answered.taken[task].items
    values = (_rubric(items), _requirements(items))
    return Drafted(written=tuple(_write(*one) for one in zip(paths, values, strict=True)))


RUBRIC = ("rubric", "requirements")


def _amiss(found: RubricDraft, request: str) -> Iterator[str]:
    ids = [item.id for item in found.items]
    yield from (f"{one} stands here twice" for one in sorted({i for i in ids if ids.count(i) > 1}))
    for item in found.items:
        if item.asked and plain(item.asked) not in plain(request):
            yield f"{item.id}: {item.asked!r} does not stand in the request; quote word for word"
        if not item.asked and not item.why.strip():
            yield f"{item.id}: nothing asks for it; say why the profession does"
    if not found.items:
        yield "there are no items"


def _rubric(items: tuple[ItemDraft, ...]) -> dict[str, object]:
    names = ("id", "says", "dimension", "level")
    return {"items": [{name: getattr(item, name) for name in names} for item in items]}


def _requirements(items: tuple[ItemDraft, ...]) -> dict[str, object]:
    asked: dict[str, list[str]] = {}
    for item in items:
        if item.asked:
            asked.setdefault(item.asked, []).append(item.id)
    return {
        "requirements": [{"says": says, "items": ids} for says, ids in asked.items()],
        "background": [],
        "beyond": [{"item": one.id, "why": one.why} for one in items if not one.asked],
    }


# --- how it is asked ----------------------------------------------------------------------------


def _question(kind: str, name: str, told: dict[str, str]) -> Question:
    parts = {word.lower(): value.strip() for word, value in told.items()}
    text = filled(PROMPTS / f"{kind}.md", parts)
    return Question(stage=f"{STAGE}-{kind}", id=name, prompt=text)


def _text(page: Page[R]) -> str:
    """A record as it is written."""
    if page.broken:
        raise UsageError(page.broken.what, where=page.broken.where, hint=page.broken.do)
    return f"```yaml\n{page.text.strip()}\n```"


def _inputs(folder: Path) -> Iterator[str]:
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            yield f"* {path.relative_to(folder).as_posix()} ({path.stat().st_size:,} bytes)"
            if path.suffix in (".md", ".txt", ".csv"):
                yield f"\n```\n{path.read_text('utf-8', 'replace')[:MOST].strip()}\n```\n"


MOST = 8_000
"""Characters of an input that are shown."""


def _empty(found: Record) -> list[str]:
    return [name for name in found.__struct_fields__ if not getattr(found, name)]


def _unfinished(answered: Answered[R]) -> Drafted:
    wrong = {str(path): says for path, says in answered.wrong.items()}
    return Drafted(waiting=answered.waiting, wrong=wrong)


def _free(path: Path) -> Path:
    """A path where nothing stands yet: what somebody wrote is never written over."""
    if path.exists():
        hint = "for a new draft rename it, and the answer that it was made of (answer.json)"
        raise UsageError("there is one already", where=path, hint=hint)
    return path


def _plainly(value: Record) -> dict[str, object]:
    found: dict[str, object] = msgspec.to_builtins(value)
    return found


def _write(path: Path, value: dict[str, object]) -> Path:
    text = yaml.safe_dump(value, sort_keys=False, allow_unicode=True, width=100)
    write_whole(path, text.encode())
    return path
