"""What every reader shares: how it says that a file does not read.

A reader is a module with `read(path: Path) -> Content`. It runs in a child process under limits, on
files whose first bytes were found to be what their suffix promises; see `preflight` and `child`.
"""

from bythebook.deliverables.evidence.model import Status


class Unreadable(Exception):
    """The candidate's bytes cannot be read. Data about the file, never our own fault."""

    def __init__(self, status: Status, says: str) -> None:
        super().__init__(says)
        self.status = status
        self.says = says
        """The reason, in a sentence."""
