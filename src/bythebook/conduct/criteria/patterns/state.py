"""Patterns over states.

finally: PRED                          the state at the end of the run
always: PRED, at: event|write          the opening state, and after each event (or each write
                                       to a table that PRED reads)
"""

from dataclasses import dataclass
from typing import Literal

import msgspec

from bythebook.conduct.criteria.monitor import Breach, Monitor, broken
from bythebook.conduct.criteria.predicate import Predicate
from bythebook.conduct.criteria.selector import Key
from bythebook.conduct.criteria.state import State


@dataclass(frozen=True)
class Finally:
    """PRED holds at the end, after all scheduled events were played out."""

    that: Predicate
    keys: tuple[Key, ...] = ()
    can_be_vacuous: bool = False

    def monitor(self) -> Monitor:
        return FinallyMonitor(self.that)


class FinallyMonitor(Monitor):
    def __init__(self, that: Predicate) -> None:
        super().__init__()
        self.that = that

    def close(self, state: State) -> Breach | None:
        if self.that.test(state):
            return None
        return broken("it does not hold at the end", state, self.that)


@dataclass(frozen=True)
class Always:
    """PRED holds in the opening state and after every event, or after every single write.

    A rule that does not hold in the opening state is void: no agent had a part in that.
    """

    that: Predicate
    at: Literal["event", "write"] = "event"
    keys: tuple[Key, ...] = ()
    can_be_vacuous: bool = True

    def monitor(self) -> Monitor:
        return AlwaysMonitor(self.that)


class AlwaysMonitor(Monitor):
    def __init__(self, that: Predicate) -> None:
        super().__init__()
        self.that, self._test = that, that.test

    def check(self, state: State, write: int | None) -> Breach | None:
        if self._test(state):
            return None
        found = broken("it does not hold", state, self.that)
        return msgspec.structs.replace(found, write=write)
