"""A guard: asked before every call, told of every result.

Use it from as many threads or tasks as there are; it decides on one call at a time, and the calls
themselves run beside each other.
"""

import inspect
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any, Literal, Self, TypeVar, cast

import msgspec

from bythebook.errors import TraceError
from bythebook.guard.decision import Broken, Called, Decision, Mode, Rules, Stopped
from bythebook.guard.journal import VERSION, Journal, Line
from bythebook.tool import fold

Tool = TypeVar("Tool", bound=Callable[..., Any])
Refused = Callable[[Decision], Any]
Speaker = Literal["agent", "customer"]


class Guard:
    """Stands between an agent and its tools.

    `guesses`: rules that rest on a guess about words stop calls, too; otherwise they are noted.
    `journal`: one that was written under the same rules is gone on with. `clock`: seconds since
    1970, UTC.
    """

    def __init__(
        self,
        rules: Rules,
        *,
        mode: Mode = "refuse",
        guesses: bool = False,
        journal: Journal | None = None,
        clock: Callable[[], float] = time.time,  # noqa: TID251 - a guard lives in real time
    ) -> None:
        """Raises `TraceError` when the journal tells another story under these rules."""
        self.rules, self.mode, self.guesses = rules, mode, guesses
        self.refused = self.passed = self.noted = 0
        self._clock, self._journal = clock, None
        self._lock = threading.RLock()
        self._serial = 0
        self._open: dict[int, Called] = {}
        if journal is not None and journal.before:
            self._catch_up(journal)
        self._journal = journal
        self._keep({"guard": VERSION, "rules": rules.name, "sha": rules.sha, **self._ways})

    # --- for whoever makes the calls himself ----------------------------------------------------

    def ask(self, name: str, args: Any) -> Decision:
        """What is to become of a call. One that is not refused must be reported by `did`, or by
        `lost`."""
        with self._lock:
            return self._asked(name, _plain(args), self._clock())

    def did(self, decision: Decision, result: Any, *, ok: bool = True) -> tuple[Broken, ...]:
        """The call was made; the rules that this broke."""
        with self._lock:
            self._open.pop(decision.call.number, None)
            result = _plain(result)
            broken = self.rules.did(decision.call, result, ok=ok)
            self._keep({"did": decision.call.number, "result": result, "ok": ok}, broken)
            return broken

    def lost(self, decision: Decision) -> tuple[Broken, ...]:
        """Nobody knows whether the call was made, or how it ended."""
        with self._lock:
            self._open.pop(decision.call.number, None)
            broken = self.rules.lost(decision.call)
            self._keep({"lost": decision.call.number}, broken)
            return broken

    def heard(self, by: Speaker, text: str) -> tuple[Broken, ...]:
        """Something was said between agent and customer; the rules that this broke."""
        with self._lock:
            return self._heard(by, fold(text), self._clock())

    def close(self) -> None:
        """Calls that are still under way are lost; the journal is closed."""
        with self._lock:
            for call in list(self._open.values()):
                self.lost(Decision(call, "pass"))
            if self._journal is not None:
                self._journal.close()
                self._journal = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # --- for tools that are Python functions ----------------------------------------------------

    def call(self, tool: Callable[..., Any], /, **args: Any) -> Any:
        """The tool's value. Raises `Stopped`, or what the tool raises."""
        return self.tool(tool)(**args)

    def tool(self, tool: Tool, *, name: str = "", refused: Refused | None = None) -> Tool:
        """The same tool, guarded; `async def` stays so. `refused`: gives the value of a call that
        is refused; without it `Stopped` is raised."""
        name = name or tool.__name__
        signature = inspect.signature(tool)

        def asked(args: Any, kwargs: Any) -> Decision:
            return self.ask(name, _arguments(signature, args, kwargs))

        @wraps(tool)
        def at_once(*args: Any, **kwargs: Any) -> Any:
            decision = asked(args, kwargs)
            if decision.verdict == "refuse":
                return _turned_away(decision, refused)
            with self._making(decision) as made:
                made.append(tool(*args, **kwargs))
            return made[0]

        @wraps(tool)
        async def later(*args: Any, **kwargs: Any) -> Any:
            decision = asked(args, kwargs)
            if decision.verdict == "refuse":
                return _turned_away(decision, refused)
            with self._making(decision) as made:
                made.append(await tool(*args, **kwargs))
            return made[0]

        return cast("Tool", later if inspect.iscoroutinefunction(tool) else at_once)

    @contextmanager
    def _making(self, decision: Decision) -> Iterator[list[Any]]:
        """While a call is made; its value is put into the list. An exception is a call that failed;
        what breaks one off from outside leaves its end unknown."""
        made: list[Any] = []
        try:
            yield made
        except Exception as error:
            self.did(decision, f"{type(error).__name__}: {error}", ok=False)
            raise
        except BaseException:
            self.lost(decision)
            raise
        self.did(decision, made[0])

    # --- inside ---------------------------------------------------------------------------------

    @property
    def _ways(self) -> Line:
        return {"mode": self.mode, "guesses": self.guesses}

    def _asked(self, name: str, args: Any, at: float) -> Decision:
        self._time(at)
        sent = args if isinstance(args, dict) else {"": args}
        call = Called(self._serial, fold(name), sent, at)
        self._serial += 1
        astray = self.rules.astray
        broken = () if astray else self.rules.would_break(call)
        stops = [one for one in broken if self.guesses or not one.heuristic]
        verdict: Literal["pass", "refuse", "log"] = "log" if broken else "pass"
        if stops and self.mode == "refuse":
            verdict = "refuse"
        self._count(verdict)
        line = {"ask": call.number, "at": at, "name": call.name, "args": sent, "verdict": verdict}
        self._keep(line | ({"astray": astray} if astray else {}), broken)
        if verdict != "refuse":
            self._open[call.number] = call
            self.rules.begun(call)
        return Decision(call, verdict, broken)

    def _count(self, verdict: str) -> None:
        self.refused += verdict == "refuse"
        self.noted += verdict == "log"
        self.passed += verdict == "pass"

    def _heard(self, by: Speaker, text: str, at: float) -> tuple[Broken, ...]:
        self._time(at)
        broken = self.rules.heard(by, text, at)
        self._keep({"heard": by, "text": text, "at": at}, broken)
        return broken

    def _time(self, at: float) -> None:
        broken = self.rules.passed(at)
        if broken:
            self._keep({"at": at}, broken)

    def _keep(self, line: Line, broken: tuple[Broken, ...] = ()) -> None:
        if self._journal is not None:
            self._journal.write(line | ({"broken": broken} if broken else {}))

    def _catch_up(self, journal: Journal) -> None:
        different = self.replay(journal.before)
        if different:
            what = f"these rules decide otherwise than it says: {different[0]}"
            raise TraceError(what, where=journal.path, hint="begin a new journal")

    def replay(self, lines: tuple[Line, ...]) -> list[str]:
        """Live through a journal again; where a decision would be another one today."""
        found: list[str] = []
        ways = self._ways
        for line in lines:
            match line:
                case {"guard": _}:
                    self._begin(line)
                case {"ask": number, "at": at, "name": name, "args": args}:
                    said = self._asked(name, args, at)
                    found += _difference(number, line, said)
                case {"did": number, "result": result, "ok": ok} if number in self._open:
                    self.did(Decision(self._open[number], "pass"), result, ok=ok)
                case {"lost": number} if number in self._open:
                    self.lost(Decision(self._open[number], "pass"))
                case {"heard": by, "text": text, "at": at}:
                    self._heard(by, text, at)
        for call in list(self._open.values()):
            self.lost(Decision(call, "pass"))
        self.mode, self.guesses = ways["mode"], ways["guesses"]
        return found

    def _begin(self, line: Line) -> None:
        """A session of the journal: calls of the one before that did not end are lost."""
        if line.get("sha") != self.rules.sha:
            what = f"it was kept under other rules: {line.get('rules')}"
            raise TraceError(what, hint="name the criteria that it was kept under")
        for call in list(self._open.values()):
            self.lost(Decision(call, "pass"))
        self.mode = "log" if line.get("mode") == "log" else "refuse"
        self.guesses = line.get("guesses") is True


def _difference(number: int, line: Line, said: Decision) -> list[str]:
    before = (line.get("verdict"), [one["id"] for one in line.get("broken", ())])
    now = (said.verdict, [one.id for one in said.broken])
    if (number, before) == (said.call.number, now):
        return []
    return [f"call {number}: was {before[0]} {before[1]}, is {now[0]} {now[1]}"]


def _turned_away(decision: Decision, refused: Refused | None) -> Any:
    if refused is None:
        raise Stopped(decision)
    return refused(decision)


def _plain(value: Any) -> Any:
    """As a journal holds it, so that a replay sees the same."""
    return fold(msgspec.json.decode(msgspec.json.encode(fold(value), enc_hook=repr)))


def _arguments(signature: inspect.Signature, args: Any, kwargs: Any) -> dict[str, Any]:
    """By name, as rules know them; what does not fit is the tool's to refuse."""
    try:
        bound = signature.bind(*args, **kwargs)
    except TypeError:
        return {**{str(n): value for n, value in enumerate(args)}, **kwargs}
    found: dict[str, Any] = {}
    for name, value in bound.arguments.items():
        kind = signature.parameters[name].kind
        if kind is inspect.Parameter.VAR_KEYWORD:
            found |= value
        elif name not in ("self", "cls"):
            found[name] = value
    return found
