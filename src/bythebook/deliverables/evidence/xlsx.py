"""Workbooks (ECMA-376 part 1, SpreadsheetML): everything that `Workbook` has a place for.

Cells are streamed; nothing is computed here. A formula's value is what the file says it is.
"""

import hashlib
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Literal

import msgspec
from lxml import etree

from bythebook.deliverables.evidence import sheetparts
from bythebook.deliverables.evidence.charts import Book, chart_of
from bythebook.deliverables.evidence.elements import child_of, children, related
from bythebook.deliverables.evidence.model import Chart, Sheet, Workbook
from bythebook.deliverables.evidence.package import Package, Relation, number
from bythebook.deliverables.evidence.reading import Unreadable
from bythebook.deliverables.evidence.styles import number_formats
from bythebook.deliverables.evidence.worksheet import Budget, Grid, Rows, read_grid, read_texts

STATES: dict[str | None, Literal["hidden", "veryHidden"]] = {
    "hidden": "hidden",
    "veryHidden": "veryHidden",
}
BUILT_IN = "_xlnm."
"""Names that a program gives begin so: print areas, filters."""


Seen = dict[bytes, tuple[Grid, int]]
"""Sheets that were read before, by a digest of what they were read from."""


def read(path: Path, seen: Seen | None = None, *, bare: bool = False) -> Workbook:
    """Raises Unreadable. `bare`: without the looks of values.

    `seen` is added to: a sheet of the same bytes, texts and formats is not read again. Only for
    files of ours: what was seen before is not counted against the limits.
    """
    with Package(path) as package:
        return _Reader(package, seen, bare=bare).book()


class _Reader:
    def __init__(self, package: Package, seen: Seen | None, *, bare: bool) -> None:
        self._package, self._seen, self._bare = package, seen, bare
        main = package.main("xl/workbook.xml")
        self._root = package.xml(main)
        self._relations = package.relations(main)
        self._budget = Budget()
        settings = child_of(self._root, "workbookPr")
        self._date1904 = settings is not None and settings.get("date1904") in ("1", "true")
        self._formats = number_formats(self._part("styles"))
        self._texts = self._shared_texts()
        self._people = sheetparts.people(package, self._relations)
        self._charts: dict[str, tuple[tuple[str, str], ...]] = {}

    def book(self) -> Workbook:
        listed = [*children(child_of(self._root, "sheets"), "sheet")]
        titles = [entry.get("name") or "" for entry in listed]
        names, local_names, areas = self._names(titles)
        sheets = [self._sheet(entry, areas.get(entry.get("name") or "", "")) for entry in listed]
        if not sheets:
            raise Unreadable("corrupt", "It holds no sheet.")
        book = Book({sheet.name: sheet for sheet in sheets}, {**names, **local_names})
        sheets = [
            msgspec.structs.replace(sheet, charts=tuple(self._drawn(sheet.name, book)))
            for sheet in sheets
        ]
        package = self._package
        return Workbook(
            sheets=tuple(sheets),
            names=names,
            local_names=local_names,
            date1904=self._date1904,
            macros=package.macros,
            external_links=self._external(),
            warnings=tuple(package.warnings),
        )

    def _sheet(self, entry: etree._Element, print_area: str) -> Sheet:
        package, name = self._package, entry.get("name") or ""
        relation = self._relations.get(related(entry))
        if relation is None or relation.outside:
            raise Unreadable("corrupt", f"Its sheet {name!r} has no part.")
        relations = package.relations(relation.target)
        grid, lost = self._grid(relation.target)
        if lost:
            package.warn(f"{lost} cells of {name!r} show shared texts that are not there.")
        parts = grid.parts
        extended = parts.get("extLst", ())
        columns = sheetparts.columns(parts.get("cols", ()))
        tables, filters = sheetparts.tables(package, relations)
        drawn = sheetparts.drawn(package, relations, parts.get("drawing", ()))
        self._charts[name] = drawn.charts
        self._warn_of(name, grid, relations, drawn.diagrams)
        own = [found.get("ref") or "" for found in parts.get("autoFilter", ())]
        return Sheet(
            name=name,
            state=STATES.get(entry.get("state"), "visible"),
            cells=grid.cells,
            merges=tuple(
                merge.get("ref") or ""
                for merge in sheetparts.within_all(parts.get("mergeCells", ()), "mergeCell")
            ),
            freeze=sheetparts.freeze(parts.get("sheetViews", ())),
            filters=(*own, *filters),
            tables=tables,
            hidden_rows=grid.hidden_rows,
            hidden_columns=columns.hidden,
            widths=columns.widths,
            formats=sheetparts.formats(parts.get("conditionalFormatting", ()), extended),
            validations=sheetparts.validations(parts.get("dataValidations", ()), extended),
            print_area=print_area,
            pictures=drawn.pictures,
            boxes=drawn.boxes,
            pivots=sheetparts.pivots(package, relations),
            comments=sheetparts.comments(package, relations, self._people),
            links=sheetparts.links(parts.get("hyperlinks", ()), relations),
            cut=grid.cut,
        )

    def _grid(self, part: str) -> tuple[Grid, int]:
        """A sheet's own part, and how many of its shared texts are not there."""
        if self._seen is None:
            return self._streamed(part)
        key = hashlib.sha256(self._package.data(part) + self._looks).digest()
        if key not in self._seen:
            self._seen[key] = self._streamed(part)
        return self._seen[key]

    def _streamed(self, part: str) -> tuple[Grid, int]:
        formats = None if self._bare else self._formats
        rows = Rows(self._texts, formats, self._budget, date1904=self._date1904)
        with self._package.stream(part) as file:
            return read_grid(part, file, rows), rows.lost

    @cached_property
    def _looks(self) -> bytes:
        """What a sheet's cells refer to: a digest of texts and formats."""
        told = [self._texts, self._formats, self._date1904, self._bare]
        return hashlib.sha256(msgspec.json.encode(told)).digest()

    def _drawn(self, name: str, book: Book) -> Iterator[Chart]:
        for part, at in self._charts[name]:
            root = self._package.optional(part)
            if root is None:
                self._package.warn(f"A chart of {name!r} does not read.")
            else:
                yield chart_of(root, at, book)

    def _warn_of(
        self, name: str, grid: Grid, relations: dict[str, Relation], diagrams: int
    ) -> None:
        """Say what is there and has no place in the evidence."""
        extended = grid.parts.get("extLst", ())
        lines = sum(1 for _ in sheetparts.within_all(extended, "sparkline"))
        kinds = [relation.kind for relation in relations.values()]
        counted = (
            (lines, "sparklines"),
            (diagrams, "diagrams"),
            (kinds.count("slicer"), "slicers"),
            (kinds.count("timeline"), "timelines"),
            (kinds.count("ctrlProp"), "form controls"),
            (kinds.count("oleObject") + kinds.count("package"), "embedded objects"),
        )
        for count, what in counted:
            if count:
                self._package.warn(f"{count} {what} on {name!r} are not read.")

    def _names(self, titles: list[str]) -> tuple[dict[str, str], dict[str, str], dict[str, str]]:
        """Names of the book, names of sheets, and print areas by sheet."""
        whole: dict[str, str] = {}
        own: dict[str, str] = {}
        areas: dict[str, str] = {}
        for found in children(child_of(self._root, "definedNames"), "definedName"):
            name = found.get("name") or ""
            text = (found.text or "").strip().removeprefix("=")
            place = number(found.get("localSheetId"), -1)
            title = titles[place] if 0 <= place < len(titles) else ""
            if name == f"{BUILT_IN}Print_Area" and title:
                areas[title] = text
            elif name.startswith(BUILT_IN):
                continue
            elif title:
                own[f"{title}!{name}"] = text
            else:
                whole[name] = text
        return whole, own, areas

    def _part(self, kind: str) -> etree._Element | None:
        """A part that the book points at; its absence is warned of."""
        part = self._part_name(kind)
        root = self._package.optional(part) if part else None
        if root is None:
            self._package.warn(f"It has no {kind}.")
        return root

    def _part_name(self, kind: str) -> str:
        for relation in self._relations.values():
            if relation.kind == kind and not relation.outside:
                return relation.target
        return ""

    def _shared_texts(self) -> list[str]:
        part = self._part_name("sharedStrings")
        if part not in self._package.names:
            return []
        with self._package.stream(part) as file:
            return read_texts(part, file, self._budget)

    def _external(self) -> tuple[str, ...]:
        """What lies outside and is more than a place to click on."""
        found = {
            relation.target
            for part in self._package.names
            if part.endswith(".rels")
            for relation in self._package.relations(_owner(part)).values()
            if relation.outside and relation.kind != "hyperlink"
        }
        return tuple(sorted(found))


def _owner(rels: str) -> str:
    """The part whose relations stand in `folder/_rels/name.rels`."""
    folder, _, name = rels.rpartition("_rels/")
    return folder + name.removesuffix(".rels")
