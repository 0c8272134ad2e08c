"""What a guard adds to a call: 100 rules, half of which listen to it, and a journal on disk."""

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median, quantiles

from bench.ours import MILLI, Figure
from bythebook.guard import Guard, Journal, TraceRules
from bythebook.guard.relay import Relay
from bythebook.interop.rulebook import read_rulebook

CALLS = 500
"""Of one conversation; the later ones are the dearer ones."""
HEAD = """
tables: {orders: {status: str, owner: str}}
tools:
  get: {args: {id: str}, result: &order {status: str, owner: str}}
  refund: {args: {id: str, note: str}, result: *order}
  other: {args: {id: str}}
track: [{on: [call('get') as c, call('refund') as c], table: orders, key: c.args.id, set: c.result}]
criteria:
"""
RULES = (
    "before: call('{tool}') as b, needs: call('get') as a, match: a.args.id == b.args.id",
    "whenever: call('{tool}') as c, require: row('orders'; c.args.id).owner != 'nobody {n}'",
    "never: call('{tool}') as c where c.args.id == 'wrong {n}'",
    "count: call('{tool}'), at_most: {many}",
    "after: call('get') as a, then: call('{tool}') as b, match: a.args.id == b.args.id",
)
SHOWN = json.dumps({"status": "delivered", "owner": "Ann"})
SERVER = """
import json, sys
for line in sys.stdin:
    id = json.loads(line)["id"]
    content = [{"type": "text", "text": sys.argv[1]}]
    answer = {"jsonrpc": "2.0", "id": id, "result": {"content": content}}
    print(json.dumps(answer), flush=True)
"""


def rules() -> str:
    """100 rules, written as in a file."""
    found = []
    for n in range(100):
        tool = "refund" if n % 2 else "other"
        pattern = RULES[n // 2 % len(RULES)].format(tool=tool, n=n, many=10 * CALLS)
        fields = [part.replace(";", ",").strip() for part in pattern.split(", ")]
        head = [f"id: r{n}", "kind: process", f"says: Rule {n} holds."]
        head.append(f"source: {{family: Shop, clause: '{n}'}}")
        found.append("  - " + "\n    ".join([*head, *fields]))
    return HEAD + "\n".join(found) + "\n"


def figures() -> Iterator[Figure]:
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        took = in_process(place / "here.jsonl")
        what = f"a guard of 100 rules and its journal add to a call, {CALLS} calls, p95, CPU"
        yield Figure(what, p95(took) * MILLI, 2, "ms")
        criteria = place / "rules.yaml"
        criteria.write_text(rules())
        server = [sys.executable, "-c", SERVER, SHOWN]
        program = str(Path(sys.executable).with_name("bythebook"))
        kept = ["--journal", str(place / "there.jsonl")]
        guard = [program, "guard", "--criteria", str(criteria), *kept]
        direct, guarded = by_turns(server, [*guard, "--", *server])
        what = "the same over MCP on standard streams: p{} with it less p{} without, wall"
        for name, at in (("50", median), ("95", p95)):
            added = at(guarded) - at(direct)
            yield Figure(what.format(name, name), added * MILLI, 2, "ms")


def in_process(path: Path) -> list[float]:
    """CPU seconds that each call takes in the guard's hands: asked, passed on, its answer heard."""
    guard = Guard(TraceRules(read_rulebook(rules(), where="bench")), journal=Journal(path))
    relay, took = Relay(guard), []
    for n, sent in enumerate(calls()):
        begun = time.process_time()
        forward, _ = relay.from_client(sent)
        assert forward is not None
        relay.from_server(answer(n))
        took.append(time.process_time() - begun)
    guard.close()
    return took


def by_turns(*commands: Sequence[str]) -> list[list[float]]:
    """Seconds from a call to its answer, for each server; they are called one after the other, so
    that what else the machine does falls on all of them."""
    took: list[list[float]] = [[] for _ in commands]
    with ExitStack() as stack:
        servers = [stack.enter_context(_started(one)) for one in commands]
        for sent in calls():
            for server, seconds in zip(servers, took, strict=True):
                seconds.append(_called(server, sent))
    return [seconds[1:] for seconds in took]


@contextmanager
def _started(command: Sequence[str]) -> Iterator[subprocess.Popen[bytes]]:
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as process:
        yield process
        assert process.stdin is not None
        process.stdin.close()


def _called(process: subprocess.Popen[bytes], sent: bytes) -> float:
    assert process.stdin is not None
    assert process.stdout is not None
    begun = time.perf_counter()
    process.stdin.write(sent + b"\n")
    process.stdin.flush()
    assert process.stdout.readline()
    return time.perf_counter() - begun


def calls() -> Iterator[bytes]:
    """An order is looked up and refunded, then the next."""
    for n in range(CALLS):
        args = {"id": str(n // 2)} | ({"note": "late"} if n % 2 else {})
        params = {"name": "refund" if n % 2 else "get", "arguments": args}
        sent = {"jsonrpc": "2.0", "id": n, "method": "tools/call", "params": params}
        yield json.dumps(sent).encode()


def answer(n: int) -> bytes:
    content = [{"type": "text", "text": SHOWN}]
    return json.dumps({"jsonrpc": "2.0", "id": n, "result": {"content": content}}).encode()


def p95(took: Sequence[float]) -> float:
    return quantiles(took, n=20)[-1]
