"""Whether to hire again where workers die before they are ready, and when."""

STILLBORN = 3
"""Waves of workers that all die, where none was ever ready: the nodes are not fit."""
LOST = 8
"""The same once there were some. With the pauses this is a minute and a half: a node that goes is
missed by its cluster after half a minute, and until then workers may be sent to it."""
FIRST, LONGEST = 1.0, 30.0
"""Seconds before a second wave; each further pause is twice as long, up to the longest."""


class Births:
    """Workers are hired in waves. However many of one wave die, that is one sign that something is
    wrong: a large node that goes takes all of its workers with it in one moment."""

    def __init__(self, first: float = FIRST) -> None:
        self.wave = 0
        """Of those that are hired now."""
        self._first = first
        self._failed = 0
        """Waves of which some died, since a worker was ready."""
        self._any = False

    def ready(self) -> None:
        """A worker has begun."""
        self._any, self._failed = True, 0

    def died(self, wave: int) -> None:
        """A worker of this wave did not live to begin."""
        if wave == self.wave:
            self.wave += 1
            self._failed += 1

    @property
    def pause(self) -> float:
        """Seconds to wait before another is hired."""
        doubled = self._first * 2.0 ** min(self._failed - 1, 16)
        return min(LONGEST, doubled) if self._failed else 0.0

    @property
    def hopeless(self) -> bool:
        """To be asked where no worker is left."""
        return self._failed >= (LOST if self._any else STILLBORN)
