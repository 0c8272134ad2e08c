"""People's labels, from a CSV with the columns task, run, item, label and, if it likes, rater."""

import csv
import io
from pathlib import Path
from typing import Literal

import msgspec

from bythebook.errors import ContentError, suggestion
from bythebook.yamlfile import read_text

Mark = Literal["pass", "fail"]
_MARKS: dict[str, Mark] = {
    **dict.fromkeys(("pass", "1", "true", "yes", "satisfied"), "pass"),
    **dict.fromkeys(("fail", "0", "false", "no", "not satisfied"), "fail"),
}
_COLUMNS = ("task", "run", "item", "label")


class Label(msgspec.Struct, frozen=True):
    """One person's mark on one item of one run."""

    task: str
    run: int
    item: str
    mark: Mark
    rater: str = ""

    @property
    def key(self) -> tuple[str, int, str]:
        return self.task, self.run, self.item


def read_labels(path: Path) -> tuple[Label, ...]:
    """Raises `ContentError` with the line that does not read, or marks an item a second time."""
    rows = csv.DictReader(io.StringIO(read_text(path).lstrip("\ufeff"), newline=""))
    names = rows.fieldnames or []
    for name in _COLUMNS:
        if name not in names:
            hint = suggestion(name, names)
            raise ContentError(f"there is no column {name!r}", where=f"{path}:1", hint=hint)
    found: dict[tuple[object, ...], Label] = {}
    for row in rows:
        where = f"{path}:{rows.line_num}"
        label = _label({name: (value or "").strip() for name, value in row.items() if name}, where)
        if found.setdefault((label.key, label.rater), label) is not label:
            raise ContentError(f"{label.item} is marked a second time", where=where)
    return tuple(found.values())


def _label(row: dict[str, str], where: str) -> Label:
    mark = _MARKS.get(row["label"].lower())
    if mark is None:
        hint = "pass or fail (1 or 0, yes or no)"
        raise ContentError(f"{row['label']!r} is no label", where=where, hint=hint)
    if not row["run"].isdigit():
        raise ContentError(f"{row['run']!r} is no number of a run", where=where)
    return Label(row["task"], int(row["run"]), row["item"], mark, row.get("rater", ""))
