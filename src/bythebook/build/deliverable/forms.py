"""Forms to fill in: each record with its fields empty and what belongs there."""

from pathlib import Path

from bythebook.build.deliverable.place import ID, Place
from bythebook.errors import UsageError
from bythebook.run.durable import write_whole

FORMS = Path(__file__).with_name("forms")
OF_A_TASK = (
    "record", "admission", "review", "pilots", "scoring", "errors", "requirements",
)  # fmt: skip


def begin(place: Place, kind: str, name: str) -> tuple[Path, ...]:
    """Lay out the empty forms of a product, interview, scenario or task. Raises `UsageError` where
    something stands already."""
    if not ID.fullmatch(name):
        what = f"{name!r} is no id"
        raise UsageError(what, hint="lower-case words and digits with dashes: ledger-agent")
    path = place.path(kind, name)
    if path.exists():
        raise UsageError("there is one already", where=path, hint="edit it, or choose another id")
    if kind != "task":
        write_whole(path, (FORMS / f"{kind}.yaml").read_bytes())
        return (path,)
    written = tuple(path.with_name(f"{form}.yaml") for form in OF_A_TASK)
    for form in written:
        if not form.exists():
            write_whole(form, (FORMS / form.name).read_bytes())
    return written
