"""What is wrong with a check before anything was handed over: names that lead nowhere, values that
do not read as their field says, a check that cannot decide."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import msgspec

from bythebook import yamlfile
from bythebook.deliverables.checks import spec as s
from bythebook.deliverables.checks.fields import Field
from bythebook.deliverables.checks.uses import FileUse, TableUse, uses
from bythebook.deliverables.evidence.model import Kind
from bythebook.deliverables.expected import Expected
from bythebook.errors import ContentError, unknown


@dataclass(frozen=True)
class Ground:
    """What a rubric's names may refer to."""

    fields: Mapping[str, Field]
    wants: Mapping[str, Kind]
    expected: Expected
    inputs: Path


def check_spec(spec: msgspec.Struct, ground: Ground, where: str, *, screen: bool) -> None:
    """Every name that a check uses. Raises `ContentError`."""
    _check_wants(spec, where)
    used = uses(spec)
    for name in used.fields:
        if name not in ground.fields:
            raise unknown("field", name, ground.fields, where=where)
    for file in used.files:
        resolve(file, ground.wants, where=where)
    for table in used.tables:
        _check_table(table, ground, where)
    for name in used.inputs:
        if not (ground.inputs / name).is_file():
            known = [path.name for path in ground.inputs.glob("*")]
            raise unknown("input", name, known, where=where)


def _check_wants(spec: msgspec.Struct, where: str) -> None:
    if isinstance(spec, s.Names):
        for value in spec.are.values():
            if isinstance(value, Mapping):
                yamlfile.fit(value, s.Wanted, where=where)


def resolve(use: FileUse, wants: Mapping[str, Kind], *, where: str = "") -> str:
    """The name of the file that is meant. Raises `ContentError` when it is not one file."""
    if use.name:
        if use.name not in wants:
            raise unknown("wanted file", use.name, wants, where=where)
        if wants[use.name] not in use.kinds:
            what = f"{use.name} is {wants[use.name]}; this check reads {', '.join(use.kinds)}"
            raise ContentError(what, where=where)
        return use.name
    fitting = [name for name, kind in wants.items() if kind in use.kinds]
    if len(fitting) != 1:
        what = f"the task wants {len(fitting)} files of kind {' or '.join(use.kinds)}"
        raise ContentError(what, where=where, hint="say which: `file: NAME`")
    return fitting[0]


def _check_table(use: TableUse, ground: Ground, where: str) -> None:
    if "#" in use.name:
        table, _ = ground.expected.column(use.name, where=where)
    else:
        table = ground.expected.table(use.name, where=where)
    for key in use.keys:
        if key not in table.columns:
            path = use.name.partition("#")[0]
            raise unknown(f"column of {path}", key, table.columns, where=where)
