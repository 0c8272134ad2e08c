"""The check of one kind that a task can have, put into its rubric."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from bythebook import yamlfile
from bythebook.deliverables.checks.lint import check_fair, pinned
from bythebook.deliverables.checks.places import Spot
from bythebook.deliverables.checks.run import run_check
from bythebook.deliverables.checks.spec import SPECS, View
from bythebook.deliverables.checks.static import Ground, check_spec
from bythebook.deliverables.checks.uses import uses
from bythebook.deliverables.evidence.formulas import address, column_letters
from bythebook.deliverables.offer.kinds import FORMS, PROSE, Sort
from bythebook.deliverables.offer.known import Known, Offer
from bythebook.deliverables.offer.written import flow, lines, next_id, sentence, with_item
from bythebook.deliverables.rubric import Item, RubricFile, check_rubric
from bythebook.errors import ContentError, unknown


class Added(msgspec.Struct, frozen=True):
    """A rubric with one item more."""

    rubric: str
    """Its new text."""
    id: str
    item: str
    """The item's own text."""
    breaks: str = ""
    """An edit that should fail it."""
    screen: bool = False
    missing: str = ""
    """Why the item is written as a comment; empty: it is not."""
    note: str = ""


def sort_of(kind: str) -> Sort:
    """Raises `ContentError` for a kind that there is not."""
    if kind not in FORMS:
        raise unknown("check", kind, FORMS)
    return FORMS[kind]


def added(kind: str, known: Known) -> Added:
    """The task's rubric with the strictest check of this kind that all references pass, or with
    its form as a comment. Raises `ContentError` when the rubric would not load any more."""
    sort = sort_of(kind)
    path = known.task.folder / "rubric.yaml"
    before = yamlfile.read_text(path)
    offers = _Offers(kind, known)
    found = next(offers.fitting(sort), None)
    told, screen = (flow(found.told), found.screen) if found else (sort.form, kind in PROSE)
    name = next_id([*known.task.rubric.by_id, *_off(before)])
    item = {
        "id": name,
        "says": sentence(found.says) if found else "WHAT MUST BE TRUE.",
        "dimension": sort.dimension,
        "level": sort.level,
        "screen" if screen else "check": f"{{{kind}: {told}}}",
    }
    if screen:
        item["truth"] = "WHAT THE JUDGE MUST KNOW." if not found else sentence(found.says)
    written = lines(item, off=found is None)
    if found is None:
        written = ["# Fill in what is in capitals, then take the `# ` away.", *written]
    after = with_item(before, written)
    _check(after, known)
    if found is None:
        return Added(after, name, "\n".join(written), missing=offers.asked or sort.lacks)
    breaks = _broken(sort.breaks, found, offers.spots, known)
    return Added(after, name, "\n".join(written), breaks, screen=screen, note=found.note)


def _broken(edit: str, offer: Offer, spots: list[Spot], known: Known) -> str:
    """An edit with the places of an offer filled in, as far as they are known."""
    told = offer.told
    file = msgspec.convert(told.get("file", ""), str)
    for name in re.findall(r"FILE(?:\.\w+)?", edit):
        suffix = name.removeprefix("FILE")
        alike = [file] if file else [one for one in known.task.wants if one.endswith(suffix)]
        edit = edit.replace(name, flow(alike[0])) if alike else edit
    for place, spot in zip(("CELL", "OTHER"), (spots * 2)[:2], strict=False):
        at = f"{spot.sheet}!{address(spot.row, spot.column)}"
        edit = edit.replace(place, f'"{at}"').replace("COLUMN", column_letters(spot.column))
    found = {
        "SHEET": _first(told, "sheet", "sheets", "order")
        or next((one.sheet.name for one in known.grids), ""),
        "NAME": next(iter(told.get("are", {})), "") if "NAME" in edit else "",
        "HEADING": _first(told, "has"),
        "WORDS": next((_first(one, "near") for one in told.get("all", ())), "")
        or _first(told.get("figure", {}), "near"),
    }
    for place, value in found.items():
        edit = edit.replace(place, flow(value)) if value else edit
    return edit


def _first(told: Mapping[str, Any], *names: str) -> str:
    """The first text under one of these names."""
    for name in names:
        value = told.get(name, ())
        several = (value,) if isinstance(value, str) else value
        for one in several:
            return str(one)
    return ""


def _off(rubric: str) -> list[str]:
    """Ids of items that stand there as comments."""
    marks = ("# - id:", "#- id:")
    found = (line.strip() for line in rubric.splitlines())
    return [line.partition("id:")[2].strip() for line in found if line.startswith(marks)]


def _check(rubric: str, known: Known) -> None:
    """Raises `ContentError` when the text is no rubric of the task."""
    task = known.task
    path = task.folder / "rubric.yaml"
    read = yamlfile.convert(rubric, RubricFile, where=path, decimals=True)
    ground = Ground(read.fields, task.wants, task.expected, task.inputs)
    check_rubric(read, ground, path, rubric)
    strings = pinned(read.items, read.fields, task.wants)
    check_fair(strings, task.prompt, lambda: task.evidence, str(path))


class _Offers:
    """What is offered of one kind, tried out."""

    def __init__(self, kind: str, known: Known) -> None:
        self.kind, self.known = kind, known
        self.spots: list[Spot] = []
        self.asked = ""
        """What says that an item asks this already."""
        specs = {item.id: item.spec for item in known.task.rubric.items}
        self._there = {
            _aim(spec): name for name, spec in specs.items() if isinstance(spec, SPECS[kind])
        }

    def fitting(self, sort: Sort) -> Iterator[Offer]:
        """Offers that load, are fair, are not asked yet, and that all references pass."""
        for offer in sort.offers(self.known):
            item = self._item(offer, sort)
            if item is None or not self._passes(item):
                continue
            assert item.spec is not None
            there = self._there.get(_aim(item.spec))
            if there is None:
                self.spots = self._spots(item)
                yield offer
            else:
                self.asked = f"{there} asks this already"

    def _item(self, offer: Offer, sort: Sort) -> Item | None:
        """None where the offer does not load, or looks for what the task does not say."""
        known = self.known
        word = "screen" if offer.screen else "check"
        told: Mapping[str, Any] = yamlfile.parse(flow(offer.told), "offer", decimals=True)
        says: dict[str, Any] = {"id": "new", "says": offer.says, word: {self.kind: told}}
        ground = Ground(known.fields, known.task.wants, known.task.expected, known.task.inputs)
        try:
            spec = yamlfile.fit(told, SPECS[self.kind], where="offer")
            check_spec(spec, ground, "offer", screen=offer.screen)
            item = Item(dimension=sort.dimension, level=sort.level, **says)
            strings = pinned((item,), known.fields, {})
            check_fair(strings, known.task.prompt, lambda: known.task.evidence, "offer")
        except ContentError:
            return None
        return item

    def _passes(self, item: Item) -> bool:
        return all(run_check(item, case).mark == "pass" for case in self.known.cases)

    def _spots(self, item: Item) -> list[Spot]:
        """The cells of the first reference whose values the check judges."""
        case = self.known.first
        if case is None:
            return []
        case.wanted.clear()
        case.seen.clear()
        run_check(item, case)
        return list(case.wanted) or sorted(case.seen, reverse=True)


def _aim(spec: msgspec.Struct) -> str:
    """What a check asks for, however strictly."""
    aims = msgspec.structs.replace(uses(spec), wants=())
    seen = sorted(spec.has) if isinstance(spec, View) else ()
    return repr((aims, seen))
