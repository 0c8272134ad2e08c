"""A company: tables, documents, procedures, parameters and desks, read from content folders."""

import importlib
import importlib.util
import inspect
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from traceback import extract_tb
from types import ModuleType
from typing import Any

import msgspec

from bythebook import yamlfile
from bythebook.conduct import consent
from bythebook.conduct.counter import BASE
from bythebook.conduct.customer.tools import CUSTOMER
from bythebook.conduct.documents import Library, load_library
from bythebook.conduct.parameters import Parameters, load_parameters
from bythebook.conduct.schema import Schema, event_signature, signature_of, tables_of
from bythebook.conduct.search import Index
from bythebook.conduct.sops import Sop, load_sops
from bythebook.conduct.world import Row, Tables
from bythebook.errors import ContentError, unknown
from bythebook.task import Content, folder_hash
from bythebook.tool import Desk, Tool


class About(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`company/company.yaml`."""

    name: str
    about: str
    code: str = ""
    """Import path of the module whose `DESKS` (and `FUNCTIONS`) are the company's behaviour; empty
    where all desks stand in `company/desks`."""


@dataclass(frozen=True)
class Company:
    """Everything that is the same for all tasks. Immutable: one object serves all runs."""

    about: About
    desks: tuple[Desk, ...]
    functions: Mapping[str, Callable[..., object]]
    """Pure functions that criteria may call, by name."""
    parameters: Parameters
    library: Library
    sops: Mapping[str, Sop]
    base: Tables
    hash: str

    @cached_property
    def kinds(self) -> dict[str, type[Row]]:
        """Table name to row class."""
        kinds = [*consent.ROWS, *(kind for desk in self.desks for kind in desk.rows)]
        return {kind.table: kind for kind in kinds}

    @cached_property
    def tools(self) -> dict[str, Tool]:
        """The discoverable tools by name."""
        return {tool.name: tool for desk in self.desks for tool in desk.tools}

    @cached_property
    def events(self) -> dict[str, Callable[..., None]]:
        """Handlers of scheduled events by name."""
        return {name: run for desk in self.desks for name, run in desk.events.items()}

    @cached_property
    def document_index(self) -> Index:
        """Over titles, which count twice, and bodies."""
        documents = self.library.documents.values()
        return Index({d.id: f"{d.front.title} {d.front.title} {d.body}" for d in documents})

    @cached_property
    def tool_index(self) -> Index:
        """Over names, desks and docstrings."""
        return Index(
            {
                tool.name: f"{tool.name.replace('_', ' ')} {tool.desk} {tool.doc}"
                for tool in self.tools.values()
            }
        )

    @cached_property
    def schema(self) -> Schema:
        """Every name that a criterion may use."""
        return Schema(
            tables=tables_of(self.kinds.values()),
            calls={t.name: signature_of(t) for t in (*BASE.values(), *self.tools.values())},
            customer={t.name: signature_of(t) for t in CUSTOMER.values()},
            events={name: event_signature(run) for name, run in self.events.items()},
            terms={name: kind.terms for name, kind in self.kinds.items() if kind.terms},
        )


def load_company(content: Content) -> Company:
    """Read and check the whole company. Raises `ContentError` naming file and place."""
    path = content.company_roots[-1] / "company" / "company.yaml"
    about = yamlfile.load(path, About)
    module = _code(about, path)
    own = [_own_desk(path) for folder in content.company("desks") for path in folder.glob("*.py")]
    desks = (*getattr(module, "DESKS", ()), *(desk for desks in own for desk in desks))
    check_desks(desks)
    parameters = load_parameters(content.company("parameters"))
    library = load_library(content.company("documents"), parameters)
    kinds = {kind.table: kind for desk in desks for kind in desk.rows}
    kinds |= {kind.table: kind for kind in consent.ROWS}
    return Company(
        about=about,
        desks=desks,
        functions={run.__name__: run for run in getattr(module, "FUNCTIONS", ())},
        parameters=parameters,
        library=library,
        sops=load_sops(content.company("sops"), library),
        base=_base_rows(content.company("tables"), kinds),
        hash=folder_hash(root / "company" for root in content.company_roots),
    )


def _code(about: About, path: Path) -> ModuleType | None:
    """What the company's file names. Raises `ContentError`."""
    if not about.code:
        return None
    hint = "mend it, or leave `code` out and write desks in company/desks"
    try:
        module = importlib.import_module(about.code)
    except (Exception, SystemExit) as error:
        says = str(error) if isinstance(error, ImportError) else f"{type(error).__name__}: {error}"
        raise ContentError(f"code {about.code!r}: {says}", where=path, hint=hint) from error
    if not hasattr(module, "DESKS"):
        raise ContentError(f"code {about.code!r} has no DESKS", where=path, hint=hint)
    return module


def rows_of(
    table: str, values: object, kinds: Mapping[str, type[Row]], *, where: str | Path, text: str = ""
) -> dict[str, Row]:
    """Rows of one table from plain values, typed and checked; ids may stand once."""
    if table not in kinds:
        raise unknown("table", table, kinds, where=where)
    kind: Any = kinds[table]
    rows: dict[str, Row] = {}
    for row in yamlfile.fit(values, tuple[kind, ...], where=where, text=text):
        if row.id in rows:
            raise ContentError(f"{table}: {row.id!r} stands here twice", where=where)
        rows[row.id] = row
    return rows


def _base_rows(folders: Iterable[Path], kinds: Mapping[str, type[Row]]) -> Tables:
    tables: Tables = {name: {} for name in kinds}
    for path in (p for folder in folders for p in sorted(folder.glob("*.yaml"))):
        text = yamlfile.read_text(path)
        values = yamlfile.parse(text, path)
        tables.setdefault(path.stem, {}).update(
            rows_of(path.stem, values or [], kinds, where=path, text=text)
        )
    return tables


def _own_desk(path: Path) -> list[Desk]:
    """The desks of a content folder's own Python module."""
    name = f"bythebook_own_{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise ContentError("cannot be imported", where=path)
    module: ModuleType = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        lines = [f.lineno for f in extract_tb(error.__traceback__) if f.filename == module.__file__]
        where = f"{path}:{lines[-1]}" if lines else path
        raise ContentError(f"{type(error).__name__}: {error}", where=where) from error
    desks = [value for value in vars(module).values() if isinstance(value, Desk)]
    if not desks:
        raise ContentError(
            "defines no Desk", where=path, hint='start with `desk = Desk("name", ...)`'
        )
    return desks


def check_desks(desks: Iterable[Desk]) -> None:
    """Names of tools, tables, id prefixes and scheduled events stand once in a company, and a
    retired tool's successor is in use."""
    seen: dict[tuple[str, str], tuple[str, Any]] = {}
    desks = tuple(desks)
    _check_successors([tool for desk in desks for tool in desk.tools])
    for desk in desks:
        for tool in desk.tools:
            _once(("tool", tool.name), desk, tool.run, seen)
            _check_tool(tool)
        for kind in desk.rows:
            _once(("table", kind.table), desk, kind, seen)
            _once(("id prefix", kind.prefix), desk, kind, seen)
        for event, run in desk.events.items():
            _once(("scheduled event", event), desk, run, seen)


def _check_successors(tools: Sequence[Tool]) -> None:
    in_use = [tool.name for tool in tools if not tool.retired]
    for tool in tools:
        if tool.retired and tool.retired not in in_use:
            where = f"{inspect.getsourcefile(tool.run)}, tool {tool.name!r}, retired"
            raise unknown("tool in use", tool.retired, in_use, where=where)


def _once(
    name: tuple[str, str], desk: Desk, stands: Any, seen: dict[tuple[str, str], tuple[str, Any]]
) -> None:
    """`stands` is the function or class that brings the name."""
    taken = ""
    if name in seen:
        other, first = seen[name]
        taken = f"desk {other!r} in {inspect.getsourcefile(first)}"
    elif name[0] == "tool" and name[1] in BASE:
        taken = "every agent"
    if taken:
        where = f"{inspect.getsourcefile(stands)}, desk {desk.name}"
        said = f"{name[0]} {name[1]!r} is taken by {taken}"
        raise ContentError(said, where=where, hint="give it another name")
    seen[name] = desk.name, stands


def _check_tool(tool: Tool) -> None:
    where = f"{inspect.getsourcefile(tool.run)}, tool {tool.name!r}"
    if not tool.doc:
        raise ContentError("has no docstring: that is what the agent reads", where=where)
    try:
        signature_of(tool)
    except KeyError as error:
        hint = "annotate every argument and the result: name: type"
        raise ContentError(f"{error} has no type", where=where, hint=hint) from None
    except (TypeError, NameError) as error:
        what = f"an argument or its result cannot be typed: {error}"
        hint = "str, int, bool, Day, Cents, Literal[...], tuple[X, ...], a frozen struct, X | None"
        raise ContentError(what, where=where, hint=hint) from None
