"""The input cells that a rubric's what-ifs change."""

from collections.abc import Mapping
from decimal import Decimal

from bythebook.deliverables.checks.spec import WhatIf
from bythebook.deliverables.checks.uses import FileUse, resolve
from bythebook.deliverables.evidence.model import Scalar
from bythebook.deliverables.proof.court import Court


def changes_of(court: Court) -> list[tuple[str, Mapping[str, Scalar]]]:
    """Workbook, and cells with their values, of each what-if."""
    found: list[tuple[str, Mapping[str, Scalar]]] = []
    for item in court.items.values():
        spec = item.spec
        if isinstance(spec, WhatIf):
            name = resolve(FileUse(spec.file, ("xlsx",)), court.task.wants)
            found.append((name, {_place(at): _scalar(value) for at, value in spec.set.items()}))
    return found


def _place(at: str) -> str:
    """As the check itself writes it."""
    sheet, _, cell = at.rpartition("!")
    return f"{sheet.strip(chr(39))}!{cell}"


def _scalar(value: object) -> Scalar:
    if isinstance(value, Decimal):
        return float(value)
    return value if isinstance(value, bool | int | float | str) else str(value)
