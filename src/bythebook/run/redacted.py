"""`redacted.json`: what was covered in a copy of an evaluation, and which verdicts it still gives.

It holds nothing of what was covered.
"""

import msgspec

from bythebook import __version__
from bythebook.errors import TraceError
from bythebook.run.folder import EvaluationFolder

REDACTED = "redacted.json"


class RedactedRun(msgspec.Struct, frozen=True):
    """One run of the copy."""

    task: str
    run: int
    covered: bool
    """Something in it was."""
    unverifiable: str = ""
    """Why its verdict cannot be made again from the copy; empty: it can."""


class Redacted(msgspec.Struct, frozen=True, kw_only=True):
    """All of it."""

    bythebook: str = "redacted"
    version: int = 1
    benchmark: str = __version__
    """Version of the program that covered."""
    found: dict[str, int]
    """Kind of thing to how many different ones were covered."""
    runs: tuple[RedactedRun, ...]
    left_out: dict[str, int]
    """Kind of file that is not in the copy, to how many there were."""


def unverifiable(folder: EvaluationFolder) -> dict[tuple[str, int], str]:
    """Runs of a redacted copy that do not give their verdict any more, and why."""
    path = folder.root / REDACTED
    if not path.is_file():
        return {}
    try:
        found = msgspec.json.decode(path.read_bytes(), type=Redacted)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise TraceError(f"this file does not read: {error}", where=path) from None
    return {(run.task, run.run): run.unverifiable for run in found.runs if run.unverifiable}
