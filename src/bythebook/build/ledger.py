"""The ledger of a building place: who decided what, when and why, on exactly which files.

    DIR/ledger.jsonl   one decision a line, never changed, never taken out
    DIR/ledger.head    the number of lines and the SHA-256 of the last one

Each line holds the SHA-256 of the line before it, so a line that was changed, taken out or put in
shows. Whoever works out all of it anew does not show: print `Ledger.head` where others keep it.

What is decided on passes a row of gates (`Gate`), in order. A gate's state comes from the ledger
alone, and a decision holds only for the bytes it was made on: once a file has changed, it lapses.
Nobody goes past a gate that does not stand. Who wants to skip one must be a person, waives it and
says why, and that is printed in every report.
"""

import hashlib
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Literal

import msgspec

from bythebook.build.signers import compared, no_name, no_person
from bythebook.errors import ContentError, UsageError, suggestion
from bythebook.run.durable import only_one, write_whole
from bythebook.tool import Day, is_day

Decided = Literal["pass", "return", "discard", "waive"]
Kind = Literal["expert", "person", "model", "program"]
State = Literal["open", "passed", "waived", "returned", "discarded", "lapsed"]

LEDGER, HEAD = "ledger.jsonl", "ledger.head"
PATIENCE = 10.0
"""Seconds to wait for another process that writes the same ledger."""
STATES: dict[Decided, State] = {
    "pass": "passed",
    "waive": "waived",
    "return": "returned",
    "discard": "discarded",
}

SHOWN = 3
"""Most files that a lapsed decision names to people; --json lists all."""


class Decision(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One line of the ledger."""

    n: int
    """Counted from 1."""
    day: Day
    gate: str
    subject: str
    decided: Decided
    who: str
    kind: Kind
    years: int | None = None
    """Of an expert's work in the domain; experts only."""
    domain: str = ""
    """Of an expert's work."""
    why: str
    files: dict[str, str]
    """Path from the ledger's folder, to the SHA-256 of the bytes that were decided on."""
    before: str
    """SHA-256 of the line before; empty for the first."""


class Ruling(msgspec.Struct, frozen=True, kw_only=True):
    """What somebody wants to have written down."""

    gate: str
    decided: Decided
    who: str
    kind: Kind
    why: str
    years: int | None = None
    domain: str = ""


class Gate(msgspec.Struct, frozen=True, kw_only=True):
    """A place where somebody has to decide."""

    name: str
    asks: str
    """What is decided, as a question."""
    by: tuple[Kind, ...] = ("expert", "person")
    """Who may let something pass."""
    apart: bool = False
    """Nobody passes here what they wrote themselves."""


class Matter(msgspec.Struct, frozen=True, kw_only=True):
    """What is decided on: its gates in order, and the files that each of them looks at."""

    subject: str
    gates: tuple[Gate, ...]
    files: Mapping[str, Mapping[str, str]]
    """Gate to the files as they are now, see `hashes`."""
    authors: tuple[str, ...] = ()

    def gate(self, name: str) -> Gate:
        for gate in self.gates:
            if gate.name == name:
                return gate
        hint = suggestion(name, (gate.name for gate in self.gates))
        raise UsageError(f"{self.subject} has no gate {name!r}", hint=hint)


class Standing(msgspec.Struct, frozen=True, kw_only=True):
    """How one gate stands for one matter."""

    gate: str
    state: State
    last: Decision | None = None
    changed: tuple[str, ...] = ()
    """Files that are not what was decided on; or that who signed may do so no longer."""
    found: str = ""
    """What the gate's own checks find now on the very files that were decided on."""

    @property
    def holds(self) -> bool:
        return self.state in ("passed", "waived")

    @property
    def says(self) -> str:
        """In words, for people."""
        if self.last is None:
            return "not decided yet"
        line = f"line {self.last.n}, {self.last.who}, {self.last.day}"
        if self.found:
            return f"the decision ({self.last.decided}, {line}) has lapsed: found now: {self.found}"
        if self.state == "lapsed":
            files = ", ".join(self.changed[:SHOWN])
            more = len(self.changed) - SHOWN
            files += f" and {more} more" if more > 0 else ""
            return f"the decision ({self.last.decided}, {line}) has lapsed: {files} changed since"
        return f"{self.state} ({line}): {self.last.why}"


class Ledger:
    """The ledger of one folder."""

    def __init__(self, place: Path) -> None:
        self.place, self.path = place, place / LEDGER

    def lines(self) -> tuple[Decision, ...]:
        """All decisions, oldest first. Raises `ContentError` at the first line that cannot be."""
        found: list[Decision] = []
        before, lines = "", self._raw()
        for number, line in enumerate(lines, start=1):
            where = f"{self.path}:{number}"
            try:
                one = _LINE.decode(line)
            except (msgspec.MsgspecError, UnicodeDecodeError) as error:
                raise _broken(f"this line does not read: {error}", where) from None
            if not is_day(one.day):
                raise _broken(f"the calendar has no {one.day}", where)
            if one.before != before or one.n != number:
                raise _broken("a line before this one was changed, put in or taken out", where)
            if wrong := wrong_with(_ruling(one), found):
                raise _broken(wrong, where)
            found.append(one)
            before = _sha(line)
        self._check_head(lines)
        return tuple(found)

    @property
    def head(self) -> str:
        """SHA-256 of the last line: stands for the whole ledger. Empty: nothing is decided."""
        lines = self._raw()
        return _sha(lines[-1]) if lines else ""

    def standing(self, matter: Matter) -> dict[str, Standing]:
        """Each gate of the matter, in order, as it stands now."""
        last = {one.gate: one for one in self.lines() if one.subject == matter.subject}
        return {gate.name: _standing(matter, gate, last.get(gate.name)) for gate in matter.gates}

    def decide(self, matter: Matter, ruling: Ruling, *, day: str = "") -> Decision:
        """Write one decision down. Raises `UsageError` where it may not be made, with the next
        move. `day`: today (UTC) where nothing is said. Holds `only_one(place)` itself: who holds
        it already cannot decide."""
        if day and not is_day(day):
            raise UsageError(f"{day!r} is no day such as 2026-05-04")
        with only_one(self.place, patience=PATIENCE):
            lines = self.lines()
            self.check(matter, ruling)
            made = Decision(
                n=len(lines) + 1,
                day=day or f"{_now():%Y-%m-%d}",
                subject=matter.subject,
                files=dict(matter.files.get(ruling.gate, {})),
                before=self.head,
                **msgspec.structs.asdict(ruling),
            )
            line = msgspec.json.encode(made)
            if not lines:
                write_whole(self.place / HEAD, b"0\n")
            write_whole(self.path, b"".join(one + b"\n" for one in (*self._raw(), line)))
            write_whole(self.place / HEAD, f"{made.n} {_sha(line)}\n".encode())
        return made

    def check(self, matter: Matter, ruling: Ruling) -> None:
        """Raises `UsageError` where an earlier gate does not stand, or this somebody may not sign,
        or not pass this gate."""
        gate, standing = matter.gate(ruling.gate), self.standing(matter)
        if wrong := wrong_with(ruling, self.lines()):
            raise UsageError(wrong, where=self.path)
        for earlier in matter.gates[: matter.gates.index(gate)]:
            at = standing[earlier.name]
            if not at.holds:
                raise UsageError(
                    f"{matter.subject} cannot be decided at {gate.name}: it has to pass "
                    f"{earlier.name} first, which is {at.state} ({at.says})",
                    hint=f"decide {earlier.name}; only a person may waive it, with the reason",
                )
        if ruling.decided == "pass":
            self._check_pass(matter, ruling, standing[gate.name])

    def _check_pass(self, matter: Matter, ruling: Ruling, now: Standing) -> None:
        gate = matter.gate(ruling.gate)
        if ruling.kind not in gate.by:
            who = " or ".join(gate.by)
            raise UsageError(
                f"{gate.name} is not passed by a {ruling.kind}",
                hint=f"it takes {who}: ask one, and give --who and --kind",
            )
        if gate.apart and compared(ruling.who) in map(compared, matter.authors):
            raise UsageError(
                f"{ruling.who} is an author of {matter.subject} and cannot pass its {gate.name}",
                hint="ask somebody who had no part in writing it",
            )
        if now.state == "returned":
            raise UsageError(
                f"{matter.subject} was sent back at {gate.name} and nothing has changed since: "
                f"{now.says}",
                hint="mend its files first; then decide again",
            )

    def _raw(self) -> list[bytes]:
        if not self.path.exists():
            return []
        data = self.path.read_bytes()
        if data and not data.endswith(b"\n"):
            where = f"{self.path}:{data.count(10) + 1}"
            raise _broken("the last line is cut off", where)
        return data.split(b"\n")[:-1]

    def _check_head(self, lines: Sequence[bytes]) -> None:
        """The last lines are still there. A process that was killed between the two files leaves
        the head one line behind."""
        head = self.place / HEAD
        if not head.exists() and lines:
            raise _broken(f"{HEAD} is gone, which tells how many lines there are", self.path)
        told = head.read_text("utf-8", "replace").split() if head.exists() else ["0"]
        count = int(told[0]) if told and told[0].isdigit() else -1
        if count == 0 and len(lines) <= 1:
            return
        kept = count > 0 and count in (len(lines), len(lines) - 1)
        if not kept or _sha(lines[count - 1]) != told[-1]:
            says = f"{HEAD} tells of {count} lines, here are {len(lines)}, or the last was changed"
            raise _broken(says, self.path)


_LINE = msgspec.json.Decoder(Decision)


def hashes(place: Path, paths: Iterable[Path]) -> dict[str, str]:
    """Files as a decision names them: path from `place` (with `/`), to the SHA-256 of the bytes.
    Of a folder, every file in it; hidden ones do not count. What is not there is left out."""
    found = {}
    for path in paths:
        inside = sorted(path.rglob("*")) if path.is_dir() else [path]
        for one in inside:
            hidden = any(part.startswith(".") for part in one.relative_to(path).parts)
            if one.is_file() and not hidden and "__pycache__" not in one.parts:
                name = Path(os.path.relpath(one.resolve(), place.resolve())).as_posix()
                found[name] = hashlib.sha256(one.read_bytes()).hexdigest()
    return dict(sorted(found.items()))


def wrong_with(ruling: Ruling, before: Sequence[Decision]) -> str:
    """Why such a line may not stand in a ledger after these; empty: it may."""
    expert, model = ruling.kind == "expert", ruling.kind in ("model", "program")
    other = {one.kind for one in before if compared(one.who) == compared(ruling.who)}
    nameless = no_name(ruling.who) or ("" if model else no_person(ruling.who, ruling.kind))
    rules = (
        (not ruling.who.strip(), "nobody signed: give --who"),
        (not ruling.why.strip(), "no reason is given: say why (--why)"),
        (bool(nameless), nameless),
        (
            bool(other & {"model", "program"}) and not model,
            f"{ruling.who} has signed as a {'/'.join(sorted(other))} before, and is no "
            f"{ruling.kind}: sign with --kind {'/'.join(sorted(other))}, or ask a person",
        ),
        (
            model and bool(other & {"expert", "person"}),
            f"{ruling.who} has signed as a {'/'.join(sorted(other))} before: a model signs with "
            "a name of its own",
        ),
        (
            expert and (ruling.years is None or ruling.years < 0 or not ruling.domain.strip()),
            "an expert is one with years of work in a domain: give --years and --domain, or sign "
            "as a person",
        ),
        (
            not expert and (ruling.years is not None or bool(ruling.domain)),
            f"years and domain are an expert's, not a {ruling.kind}'s: leave them out",
        ),
        (
            ruling.decided == "waive" and model,
            f"a {ruling.kind} cannot waive a gate: only a person can, with the reason",
        ),
    )
    return next((says for broken, says in rules if broken), "")


def _standing(matter: Matter, gate: Gate, last: Decision | None) -> Standing:
    """What was discarded stays so until somebody decides otherwise, whatever its files say."""
    if last is None:
        return Standing(gate=gate.name, state="open")
    now = matter.files.get(gate.name, {})
    both = sorted(last.files.keys() | now.keys())
    changed = [name for name in both if last.files.get(name) != now.get(name)]
    changed += _may_no_longer(matter, gate, last)
    if changed and last.decided != "discard":
        return Standing(gate=gate.name, state="lapsed", last=last, changed=tuple(changed))
    return Standing(gate=gate.name, state=STATES[last.decided], last=last)


def _may_no_longer(matter: Matter, gate: Gate, last: Decision) -> Iterator[str]:
    """Whoever let it pass could not do so today: became its author, or is of a kind that may not
    (or somebody wrote the line by hand)."""
    if last.decided == "pass" and last.kind not in gate.by:
        yield "who may pass it"
    if (
        last.decided == "pass"
        and gate.apart
        and compared(last.who) in map(compared, matter.authors)
    ):
        yield "its authors"


def _ruling(one: Decision) -> Ruling:
    return Ruling(**{name: getattr(one, name) for name in Ruling.__struct_fields__})


def demand_begun(day: str) -> None:
    """Raises `UsageError` for a day that has begun nowhere yet. Empty: today."""
    latest = f"{_now() + timedelta(hours=14):%Y-%m-%d}"
    if is_day(day) and day > latest:
        raise UsageError(f"{day} is still to come", hint="the day on which it was decided")


def _sha(line: bytes) -> str:
    return hashlib.sha256(line).hexdigest()


def _broken(what: str, where: str | Path) -> ContentError:
    hint = "put the ledger back as it was (from a copy, or from git): it is never edited by hand"
    return ContentError(what, where=where, hint=hint)


def _now() -> datetime:
    return datetime.now(UTC)  # noqa: TID251 - the day on which somebody decides is no part of a run
