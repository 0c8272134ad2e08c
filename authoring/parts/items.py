"""A rubric written by its recipe: what an item says and what it checks come from one value.

rubric = RubricSheet()
rubric.field("gross_pay", "Gross pay", "Gross salary", read_as="number", unit="TVC")
rubric.item("calculation", "core", f"Gross pay of {who} is {money(x)}.", check={"cell": {..}})
rubric.write(folder / "rubric.yaml")
"""

from collections.abc import Callable, Iterable, Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any

import yaml

from bythebook.deliverables.rubric import WEIGHT, Dimension, Failure, Level, ReadAs


class RubricSheet:
    """Items get their ids (R01, R02 ..) in the order they are written: add new ones at the end of
    their group before a task ships, at the very end afterwards."""

    def __init__(self) -> None:
        self._fields: dict[str, dict[str, Any]] = {}
        self._items: list[dict[str, Any]] = []

    def field(
        self,
        name: str,
        *names: str,
        read_as: ReadAs = "text",
        unit: str = "",
        demanded: bool = False,
    ) -> None:
        """`names`: the pinned heading first, word for word as in the prompt; then leniency."""
        about: dict[str, Any] = {"names": list(names), "as": read_as}
        more = {"unit": unit, "demanded": demanded}
        self._fields[name] = about | {key: value for key, value in more.items() if value}

    def item(
        self,
        dimension: Dimension,
        level: Level,
        says: str,
        *,
        failure: Failure = "instruction following",
        **how: Any,
    ) -> str:
        """Adds an item and gives its id. `how`: check= or screen=, and truth=."""
        name = f"R{len(self._items) + 1:02d}"
        about = {"id": name, "says": says, "dimension": dimension, "level": level}
        known = {key: how[key] for key in ("check", "screen", "truth") if how.get(key)}
        assert set(how) <= {"check", "screen", "truth"}, sorted(how)
        self._items.append(about | {"failure": failure} | known)
        return name

    @property
    def checked(self) -> int:
        """Per cent of the weight that a check decides."""
        weights = {item["id"]: WEIGHT[item["level"]] for item in self._items}
        decided = sum(weights[item["id"]] for item in self._items if "check" in item)
        return 100 * decided // sum(weights.values())

    def text(self) -> str:
        """rubric.yaml as it is written; decimals stand as they were given."""
        whole = {"fields": self._fields, "items": self._items}
        return yaml.dump(
            plain(whole), Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=98
        )

    def write(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(self.text(), "utf-8", newline="\n")


class SaidItems:
    """Items whose words stand in the recipe. What fails is following instructions, unless said.

    `fields`: name, how it is read, and the pinned heading or all that it goes by."""

    def __init__(self, fields: Iterable[tuple[str, ReadAs, str | tuple[str, ...]]] = ()) -> None:
        self.sheet = RubricSheet()
        for name, read_as, names in fields:
            known = (names,) if isinstance(names, str) else names
            self.sheet.field(name, *known, read_as=read_as)

    def add(
        self,
        dimension: Dimension,
        level: Level,
        says: str,
        failure: Failure = "instruction following",
        **how: Any,
    ) -> None:
        """As `RubricSheet.item`."""
        self.sheet.item(dimension, level, says, failure=failure, **how)


class WordedItems:
    """Items whose words stand in a file of texts (`key: {says, truth}`) with places for facts."""

    def __init__(
        self,
        texts: Path,
        facts: Mapping[str, Any],
        fill: Callable[[str, Mapping[str, Any]], str] = str.format_map,
    ) -> None:
        self.sheet = RubricSheet()
        self.facts = facts
        self._texts: dict[str, dict[str, str]] = yaml.safe_load(texts.read_text("utf-8"))
        self._fill = fill

    def add(
        self,
        key: str,
        dimension: Dimension,
        level: Level,
        failure: Failure = "instruction following",
        **how: Any,
    ) -> None:
        """Adds the item that the texts call `key`; the rest as in `RubricSheet.item`."""
        words = {name: self._fill(text, self.facts) for name, text in self._texts[key].items()}
        self.sheet.item(dimension, level, words.pop("says"), failure=failure, **how, **words)


class _Number(str):
    """A decimal, written without quotes."""


class _Dumper(yaml.SafeDumper):
    def ignore_aliases(self, data: object) -> bool:
        return True


def _number(dumper: _Dumper, value: _Number) -> yaml.ScalarNode:
    tag = "tag:yaml.org,2002:float" if "." in value else "tag:yaml.org,2002:int"
    return dumper.represent_scalar(tag, str(value))


_Dumper.add_representer(_Number, _number)


def plain(value: object) -> Any:
    """Values as YAML writes them: decimals unquoted, tuples as lists, dates as text."""
    match value:
        case Decimal():
            return _Number(f"{value:f}")
        case Mapping():
            return {str(key): plain(inner) for key, inner in value.items()}
        case list() | tuple():
            return [plain(inner) for inner in value]
        case str() | bool() | int() | None:
            return value
    return str(value)
