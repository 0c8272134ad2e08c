"""What a check came to: counts in memory, the answers of each trace in a file until they are told.

However many traces there are, memory holds one of them.
"""

import tempfile
from collections import Counter
from collections.abc import Iterator
from types import TracebackType
from typing import Self

import msgspec

from bythebook import __version__
from bythebook.interop.check import Checked
from bythebook.interop.observer import Judged
from bythebook.interop.rulebook import Rulebook

IN_MEMORY = 1 << 22
"""Bytes of answers that are kept without a file."""
_CHECKED = msgspec.json.Decoder(Checked)


class Tally(msgspec.Struct, frozen=True, kw_only=True):
    """How often each answer was given; heuristic rules are counted apart."""

    traces: int
    broken: int
    """Traces that break a rule which is no heuristic."""
    groups: dict[str, int]
    """The same for each group of rules; those without a group under an empty name."""
    decided: dict[str, int]
    """Answers of rules that are no heuristic."""
    heuristic: dict[str, int]
    """Answers of heuristic rules."""
    refused: int
    """Records that could not be read."""


class Head(msgspec.Struct, frozen=True, kw_only=True):
    """The document of `check --json`, without its traces."""

    version: str = __version__
    criteria: str
    policy: str
    summary: Tally
    problems: tuple[str, ...]
    """Files, or parts of them, that could not be read."""


class Results:
    """The answers of all traces; use it as a context manager."""

    def __init__(self, book: Rulebook) -> None:
        self.book = book
        self.rules: dict[str, tuple[Judged, Counter[str]]] = {}
        """Each rule by its id: an answer that shows it, and how often each was given."""
        self.problems: list[str] = []
        self._answers = {False: Counter[str](), True: Counter[str]()}
        self._groups: Counter[str] = Counter()
        self._traces = self._broken = self._refused = 0
        self._file = tempfile.SpooledTemporaryFile(max_size=IN_MEMORY)  # noqa: SIM115 - see __exit__

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._file.close()

    def add(self, trace: Checked) -> None:
        """One more trace."""
        self._traces += 1
        self._refused += trace.refused
        for one in trace.criteria:
            _, counts = self.rules.setdefault(one.id, (one, Counter()))
            counts["vacuous" if one.vacuous else one.verdict] += 1
            self._answers[one.heuristic][one.verdict] += 1
        broken = trace.marked("fail")
        self._broken += bool(broken)
        self._groups.update({one.group for one in broken})
        self._file.write(msgspec.json.encode(trace) + b"\n")

    @property
    def tally(self) -> Tally:
        return Tally(
            traces=self._traces,
            broken=self._broken,
            groups=dict(sorted(self._groups.items())),
            decided=dict(self._answers[False]),
            heuristic=dict(self._answers[True]),
            refused=self._refused,
        )

    def traces(self) -> Iterator[Checked]:
        """The traces again, one after the other."""
        return map(_CHECKED.decode, self._lines())

    def json(self) -> Iterator[str]:
        """The document of `--json`, piece by piece: a trace a line."""
        head = Head(
            criteria=self.book.where,
            policy=self.book.policy.name,
            summary=self.tally,
            problems=tuple(self.problems),
        )
        opened = msgspec.json.format(msgspec.json.encode(head), indent=2).decode()
        yield opened.rstrip().removesuffix("}").rstrip() + ',\n  "traces": ['
        comma = ""
        for line in self._lines():
            yield f"{comma}\n    {line.decode().rstrip()}"
            comma = ","
        yield "\n  ]\n}\n"

    def _lines(self) -> Iterator[bytes]:
        self._file.seek(0)
        yield from self._file
