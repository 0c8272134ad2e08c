"""What several runs of one task hold in common, kept once: documents read, tools described, hits of
searches, the request."""

from collections.abc import Iterable

import msgspec

LEAST = 60
"""Bytes of JSON that are worth a reference."""


class Pool:
    """Values of one task as JSON, each under its place in the order of being met."""

    def __init__(self) -> None:
        self._met: dict[bytes, int] = {}
        self._places: dict[bytes, int] = {}

    def meet(self, values: Iterable[bytes]) -> None:
        """Count the values of one run; afterwards `place` knows which ones are shared."""
        for value in values:
            if len(value) >= LEAST:
                self._met[value] = self._met.get(value, 0) + 1

    def place(self, value: bytes) -> int | None:
        """Where a value that is met more than once stands; None for one that stands alone."""
        return self.keep(value) if self._met.get(value, 0) > 1 else None

    def keep(self, value: bytes) -> int:
        """The place of a value that is kept however often it is met."""
        return self._places.setdefault(value, len(self._places))

    @property
    def values(self) -> tuple[msgspec.Raw, ...]:
        return tuple(map(msgspec.Raw, self._places))
