"""Known faults beside what a run failed: of a task's own faults, those whose failed items this run
failed, all of them.

That is no proof of the cause. It says: a file that is wrong in this one way fails these items, and
this run failed them too.
"""

import re
from pathlib import Path

import msgspec

from bythebook import yamlfile
from bythebook.deliverables.faults.faultfile import Told
from bythebook.errors import ContentError
from bythebook.task import DERIVED

LOCK = DERIVED[1]
ITEM = re.compile(r"(?<![(\w])([A-Za-z][\w.-]*)(?![\w?!)])")
"""Items that fail; those in brackets or with `?` or `!` do not."""


class KnownFault(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    kind: str
    """slip: one rule wrong everywhere. damage: something broken on purpose."""
    says: str
    fails: tuple[str, ...]


def known_faults(folder: Path) -> tuple[KnownFault, ...]:
    """The faults of a deliverables task with what each fails; none where its files do not tell."""
    try:
        rows = (folder / LOCK).read_text("utf-8").splitlines()
        written = yamlfile.load_each(folder / "faults.yaml", Told, decimals=True)
    except (OSError, ContentError):
        return ()
    fails = {name: row for name, _, row in (line.partition(":") for line in rows)}
    return tuple(
        KnownFault(
            name=name, kind=told.kind, says=told.says, fails=tuple(ITEM.findall(fails[name]))
        )
        for name, told in written.items()
        if name in fails
    )
