"""What an edit came to: how much it changed, with two samples for an author to look at."""

from collections.abc import Iterable
from decimal import Decimal
from pathlib import Path

import msgspec

from bythebook.deliverables.faults.edits import EDITS, Edit
from bythebook.deliverables.offer.written import flow
from bythebook.errors import ContentError

NAMES = {kind: name for name, kind in EDITS.items()}
SAMPLES = 2
LONG = 160


class Sample(msgspec.Struct, frozen=True):
    """One changed place, before and after."""

    at: str
    before: str
    after: str


class Done(msgspec.Struct, frozen=True):
    """One edit, carried out."""

    edit: str
    """Its name in `faults.yaml`."""
    changed: int
    samples: tuple[Sample, ...] = ()

    def __str__(self) -> str:
        shown = "; ".join(f"{s.at}: {s.before} -> {s.after}" for s in self.samples)
        return f"{self.edit}: {self.changed} changed" + (f" ({shown})" if shown else "")


def done(edit: Edit, path: Path, changes: Iterable[tuple[str, object, object]]) -> Done:
    """Count the changes and keep two. Raises `ContentError` when there are none."""
    real = [change for change in changes if change[1] != change[2]]
    name = NAMES[type(edit)]
    if not real:
        hint = f"what it names is not there, or is so already: {flow({name: written(edit)})}"
        raise ContentError(f"{name} changes nothing", where=path.name, hint=hint)
    samples = tuple(Sample(at, _short(a), _short(b)) for at, a, b in real[:SAMPLES])
    return Done(name, len(real), samples)


def written(edit: Edit) -> dict[str, object]:
    """An edit's fields as its author wrote them: without those that were left out."""
    told = msgspec.to_builtins(edit, builtin_types=(Decimal,))
    left_out = {f.encode_name: f.default for f in msgspec.structs.fields(edit)}
    return {name: value for name, value in told.items() if value != left_out[name]}


def _short(value: object) -> str:
    text = "nothing" if value is None else str(value)
    return text if len(text) <= LONG else f"{text[:LONG]}..."
