"""The rubric judges of a Harbor task: what they ask, and with what weight.

    tests/**/*.toml      Reward Kit: [judge], [[criterion]] description, type, weight ...
    tests/**/reward.toml [[reward]] weights of the files and folders beside it
    tests/**/*rubric*.json   a list of texts, or of {description, weight}, by any of their names

Scripts that judge are not read; who imports names them.
"""

import math
from collections.abc import Iterable, Iterator, Mapping
from pathlib import PurePosixPath
from typing import Any, Literal

import msgspec
from msgspec import Struct

from bythebook import yamlfile
from bythebook.errors import ContentError
from bythebook.interop.harbor.layout import TESTS
from bythebook.interop.harbor.place import Place, inside

TEXTS = ("description", "criterion", "requirement", "says", "text", "point", "rubric")
WEIGHTS = ("weight", "weight_score", "points", "score", "max_score")
LISTS = ("rubric", "rubrics", "criteria", "items", "rubric_json", "rubric_items")
LONGEST_NOTE = 6000
"""Characters of what a judge is told beside an item."""


class Criterion(Struct, frozen=True):
    """`[[criterion]]`; what else stands there is not asked for."""

    description: str
    type: Literal["binary", "likert", "numeric", "rubric"] = "binary"
    name: str | None = None
    id: str | None = None
    points: int = 5
    levels: tuple[str, ...] = ()
    min: float = 0.0
    max: float = 1.0
    weight: float = 1.0
    files: tuple[str, ...] = ()
    negate: bool = False
    optional: bool = False


class Judge(Struct, frozen=True):
    """`[judge]`."""

    weight: float = 1.0
    files: tuple[str, ...] = ()
    reference: str | None = None
    prompt_template: str | None = None


class Scoring(Struct, frozen=True):
    aggregation: str = "weighted-mean"


class JudgeFile(Struct, frozen=True):
    criterion: tuple[Criterion, ...]
    judge: Judge = Judge()
    scoring: Scoring = Scoring()


class Reward(Struct, frozen=True):
    """`[[reward]]`: how a folder's parts come to one figure."""

    name: str | None = None
    weights: dict[str, float] = {}
    aggregation: str = "weighted-mean"


class RewardFile(Struct, frozen=True):
    reward: tuple[Reward, ...] = ()


class Asked(Struct, frozen=True):
    """One thing that a judge is asked."""

    criterion: Criterion
    weight: float
    """As written where one file asks everything; else its share of the whole."""
    file: str
    note: str = ""
    """What its judge is told beside it."""
    files: tuple[str, ...] = ()
    """What its judge is shown."""


class Rubric(Struct, frozen=True):
    asked: tuple[Asked, ...]
    lost: tuple[str, ...]


def read_rubric(place: Place) -> Rubric:
    """All that judges are asked. Raises `ContentError` for files that do not read, and where there
    is no rubric judge."""
    lost: list[str] = []
    sources = [name for name in place.files if name.startswith(f"{TESTS}/")]
    kits = {
        name: file
        for name in sources
        if name.endswith(".toml") and (file := _judge_file(place, name)) is not None
    }
    lists = {n: n.rpartition("/")[2] for n in sources if n.endswith(".json")}
    rubrics = [n for n, last in lists.items() if "rubric" in last or "criteria" in last]
    asked = list(_of_folder(place, kits, TESTS, 1.0, lost))
    if len(kits) == 1:
        asked = [msgspec.structs.replace(one, weight=one.criterion.weight) for one in asked]
    for name in rubrics:
        found = () if asked else tuple(_listed(place, name))
        asked += found
        if not found:
            lost.append(f"{name}: not taken as a rubric")
    if not asked:
        scripts = ", ".join(sorted(sources)[:5]) or "there are no tests"
        hint = "what a script tests cannot be carried over; write rubric.yaml by hand"
        what = f"no rubric judge is in its tests ({scripts})"
        raise ContentError(what, where=place.root / TESTS, hint=hint)
    kept = tuple(one for one in asked if one.weight > 0)
    lost += [f"{one.file}: {one.criterion.description!r} has the weight {one.weight:g}: left out"
             for one in asked if one.weight <= 0]  # fmt: skip
    if not kept:
        raise ContentError("no item of its rubric has a weight", where=place.root / TESTS)
    return Rubric(kept, tuple(lost))


# --- Reward Kit ---------------------------------------------------------------------------------


def _judge_file(place: Place, name: str) -> JudgeFile | None:
    """None for another kind of TOML."""
    told = place.toml(name)
    if "judge" not in told and "criterion" not in told:
        return None
    found = yamlfile.fit(told, JudgeFile, where=place.root / name)
    if not found.criterion:
        raise ContentError("its judge is asked nothing", where=place.root / name)
    if not all(one.description.strip() for one in found.criterion):
        raise ContentError("a criterion of it has no description", where=place.root / name)
    _check_weights((found.judge.weight, *(one.weight for one in found.criterion)), place, name)
    return found


def _check_weights(weights: Iterable[float], place: Place, name: str) -> None:
    for weight in weights:
        if not (math.isfinite(weight) and weight >= 0):
            hint = "a weight is 0 or more; `negate` turns a criterion round"
            raise ContentError(f"{weight} is no weight", where=place.root / name, hint=hint)


def _of_folder(
    place: Place, kits: Mapping[str, JudgeFile], folder: str, share: float, lost: list[str]
) -> Iterator[Asked]:
    """What the judges in a folder and below it are asked; `share`: the folder's of the whole."""
    parts = dict[str, str]()
    for name in kits:
        if name.startswith(f"{folder}/"):
            path = name.removeprefix(f"{folder}/")
            first, below, _ = path.partition("/")
            parts[first if below else PurePosixPath(first).stem] = first
    weights = _weights(place, folder, lost)
    own = {
        word: weights.get(word, kit.judge.weight if (kit := kits.get(f"{folder}/{path}")) else 1.0)
        for word, path in parts.items()
    }
    total = sum(own.values()) or 1.0
    for word, path in parts.items():
        part, name = share * own[word] / total, f"{folder}/{path}"
        if name in kits:
            yield from _of_file(place, name, kits[name], part, lost)
        else:
            yield from _of_folder(place, kits, name, part, lost)


def _weights(place: Place, folder: str, lost: list[str]) -> dict[str, float]:
    """Of the parts of a folder, where its reward.toml gives some."""
    name = f"{folder}/reward.toml"
    if name not in place.files:
        return {}
    rewards = yamlfile.fit(place.toml(name), RewardFile, where=place.root / name).reward
    first = next((one for one in rewards if one.name in (None, "reward")), None)
    chosen = first or (rewards[0] if rewards else Reward())
    _check_weights(chosen.weights.values(), place, name)
    lost += [f"{name}: the reward {one.name!r}: a task has one score here"
             for one in rewards if one is not chosen]  # fmt: skip
    lost += _aggregated(name, chosen.aggregation)
    return chosen.weights


def _of_file(
    place: Place, name: str, file: JudgeFile, share: float, lost: list[str]
) -> Iterator[Asked]:
    lost += _aggregated(name, file.scoring.aggregation)
    note = _note(place, name, file.judge, lost)
    total = sum(one.weight for one in file.criterion) or 1.0
    for one in file.criterion:
        shown = one.files or file.judge.files
        yield Asked(one, share * one.weight / total, name, note, shown)


def _aggregated(name: str, aggregation: str) -> list[str]:
    plain = aggregation.replace("_", "-")
    says = f"{name}: aggregation {plain}: the score here is the weighted mean, success 0.90"
    return [] if plain == "weighted-mean" else [says]


def _note(place: Place, name: str, judge: Judge, lost: list[str]) -> str:
    """The prompt that its author wrote for the judge, and the text it is to compare with."""
    parts: list[str] = []
    where = place.root / name
    if judge.prompt_template:
        path = inside(str(PurePosixPath(name).parent / judge.prompt_template), where)
        parts.append(place.text(path).replace("{criteria}", "").strip())
    if judge.reference:
        path = inside(judge.reference.lstrip("/"), where)
        try:
            parts.append(f"To compare with, from {path}:\n{place.text(path).strip()}")
        except ContentError as error:
            lost.append(f"{name}: the reference {judge.reference}: {error.what}")
    note = "\n\n".join(filter(None, parts))
    if len(note) > LONGEST_NOTE:
        lost.append(f"{name}: {len(note):,} characters for the judge, cut at {LONGEST_NOTE:,}")
    return note[:LONGEST_NOTE]


# --- lists --------------------------------------------------------------------------------------


def _listed(place: Place, name: str) -> Iterator[Asked]:
    """The items of a list in JSON; nothing for another kind of file."""
    try:
        told = msgspec.json.decode(place.text(name))
    except msgspec.DecodeError as error:
        what = f"does not read as JSON: {error}"
        raise ContentError(what, where=place.root / name) from None
    if isinstance(told, dict):
        told = next((told[key] for key in LISTS if isinstance(told.get(key), list)), None)
    for entry in told if isinstance(told, list) else ():
        says = entry if isinstance(entry, str) else _first(entry, TEXTS, str)
        weight = 1.0 if isinstance(entry, str) else _first(entry, WEIGHTS, (int, float))
        if says and says.strip():
            value = 1.0 if weight is None else float(weight)
            yield Asked(Criterion(says.strip(), weight=value), value, name)


def _first(entry: Any, names: tuple[str, ...], kind: Any) -> Any:
    found = (entry.get(name) for name in names) if isinstance(entry, dict) else ()
    return next((value for value in found if isinstance(value, kind)), None)
