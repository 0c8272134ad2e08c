"""A bound on how long one document may take to be read, so that none holds up all others."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class TooLong(BaseException):
    """The time is over. No `except Exception` of a parser holds it up."""


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """Raises `TooLong` inside after so many seconds of this process's processor time, which a busy
    machine does not shorten. In another thread than the main one nothing is bounded."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGVTALRM, _over)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def _over(number: int, frame: FrameType | None) -> None:
    raise TooLong
