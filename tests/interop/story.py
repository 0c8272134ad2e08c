"""One conversation at a shop's desk, told in the form of every format that is read.

A customer wants order W1 cancelled. The agent reads it, asks, gets a yes, cancels it; then reads W2
and fails to cancel W3 in one turn.
"""

import io
import json
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

LOGGED = Path(__file__).with_name("data") / "desk.eval"
"""This story, played by Inspect 0.3.285 with its mock model and logged as it logs by default."""
ORDER = {"order_id": "W1", "status": "pending", "total": 226.11}
CANCELLED = {"order_id": "W1", "status": "cancelled", "total": 226.11}
OTHER = {"order_id": "W2", "status": "delivered", "total": 30}
MISSING = "Error: order not found"

Call = tuple[str, str, dict[str, Any], Any]
"""Id, tool, arguments, result; a result that is text is an error."""
TURNS: list[tuple[str, str, list[Call]]] = [
    ("user", "Please cancel my order W1.", []),
    ("assistant", "", [("c1", "get_order", {"order_id": "W1"}, ORDER)]),
    ("assistant", "Shall I cancel W1, 226.11 in all?", []),
    ("user", "Yes, go ahead.", []),
    ("assistant", "", [("c2", "cancel_order", {"order_id": "W1", "reason": "none"}, CANCELLED)]),
    (
        "assistant",
        "I look at the others.",
        [
            ("c3", "get_order", {"order_id": "W2"}, OTHER),
            ("c4", "cancel_order", {"order_id": "W3", "reason": "none"}, MISSING),
        ],
    ),
    ("assistant", "It is done.", []),
]


def happened() -> list[tuple[Any, ...]]:
    """What every format tells: speakers and words; calls with arguments, end and result."""
    found: list[tuple[Any, ...]] = []
    for role, text, calls in TURNS:
        if text:
            found.append(("agent" if role == "assistant" else "customer", text))
        found += [(name, args, result is not MISSING, result) for _, name, args, result in calls]
    return found


def sent(result: Any) -> str:
    """A result as a tool sends it."""
    return result if isinstance(result, str) else json.dumps(result)


def chat() -> list[dict[str, Any]]:
    """Messages of chat completions."""
    found: list[dict[str, Any]] = [{"role": "system", "content": "You work at a desk."}]
    for role, text, calls in TURNS:
        asked = [
            {"id": key, "type": "function", "function": {"name": n, "arguments": json.dumps(a)}}
            for key, n, a, _ in calls
        ]
        found.append({"role": role, "content": text or None})
        if asked:
            found[-1]["tool_calls"] = asked
        found += [{"role": "tool", "tool_call_id": k, "content": sent(r)} for k, _, _, r in calls]
    return found


def responses() -> list[dict[str, Any]]:
    """Items of Responses."""
    found: list[dict[str, Any]] = [{"role": "developer", "content": "You work at a desk."}]
    for role, text, calls in TURNS:
        kind = "output_text" if role == "assistant" else "input_text"
        if role == "assistant":
            found.append({"type": "reasoning", "summary": [{"text": "hm"}]})
        if text:
            parts = [{"type": kind, "text": text}]
            found.append({"type": "message", "role": role, "content": parts})
        for key, name, args, _ in calls:
            said = {"type": "function_call", "call_id": key, "id": f"f{key}", "name": name}
            found.append(said | {"arguments": json.dumps(args)})
        found += [
            {"type": "function_call_output", "call_id": key, "output": sent(result)}
            for key, _, _, result in calls
        ]
    return found


def anthropic() -> list[dict[str, Any]]:
    """Anthropic messages."""
    found: list[dict[str, Any]] = []
    for role, text, calls in TURNS:
        parts: list[dict[str, Any]] = [{"type": "text", "text": text}] if text else []
        parts += [{"type": "tool_use", "id": k, "name": n, "input": a} for k, n, a, _ in calls]
        found.append({"role": role, "content": parts})
        if calls:
            results = [
                {"type": "tool_result", "tool_use_id": key, "content": sent(r)}
                | ({"is_error": True} if r is MISSING else {})
                for key, _, _, r in calls
            ]
            found.append({"role": "user", "content": results})
    return found


def tau2_messages() -> Iterator[dict[str, Any]]:
    for number, (role, text, calls) in enumerate(TURNS):
        asked = [
            {"id": key, "name": n, "arguments": a, "requestor": "assistant"}
            for key, n, a, _ in calls
        ]
        yield {"role": role, "content": text, "tool_calls": asked or None, "turn_idx": number}
        results = [
            {
                "id": key, "role": "tool", "content": sent(r), "requestor": "assistant",
                "error": r is MISSING,
            }
            for key, _, _, r in calls
        ]  # fmt: skip
        if len(results) > 1:
            yield {"role": "tool", "tool_messages": results}
        else:
            yield from results


def tau2(runs: int = 1) -> dict[str, Any]:
    """A result file of tau2."""
    return {
        "timestamp": "2025-01-01T00:00:00",
        "info": {"environment_info": {"domain_name": "desk", "policy": "Ask first."}},
        "tasks": [{"id": "5"}],
        "simulations": [
            {
                "id": f"sim-{number}", "task_id": "5", "trial": number,
                "messages": list(tau2_messages()),
                "termination_reason": "user_stop", "reward_info": {"reward": 1.0},
            }
            for number in range(runs)
        ],
    }  # fmt: skip


def tau(runs: int = 1) -> list[dict[str, Any]]:
    """A result file of tau-bench."""
    return [
        {"task_id": 5, "reward": 1.0, "info": {"task": {}}, "traj": chat(), "trial": number}
        for number in range(runs)
    ]


def spelled_out() -> list[dict[str, Any]]:
    """A trajectory of tau-bench whose agent spells its actions out, one a turn."""
    found: list[dict[str, Any]] = [{"role": "system", "content": "Reply by Action: {..}"}]
    for role, text, calls in TURNS:
        if role == "user":
            found.append({"role": "user", "content": text})
            continue
        actions = [("respond", {"content": text}, None)] if text else []
        actions += [(name, args, result) for _, name, args, result in calls]
        for name, args, result in actions:
            said = json.dumps({"name": name, "arguments": args})
            found.append({"role": "assistant", "content": f"Thought:\nHm.\nAction:\n{said}"})
            if name != "respond":
                found.append({"role": "user", "content": f"API output: {sent(result)}"})
    return [{"task_id": 5, "reward": 1.0, "info": {}, "traj": found, "trial": 0}]


def inspect() -> dict[str, Any]:
    """A JSON log of Inspect."""
    messages: list[dict[str, Any]] = []
    for role, text, calls in TURNS:
        message: dict[str, Any] = {"id": f"m{len(messages)}", "role": role, "content": text}
        if calls:
            message["tool_calls"] = [
                {"id": key, "function": n, "arguments": a, "type": "function"}
                for key, n, a, _ in calls
            ]
        messages.append(message)
        messages += [
            {"role": "tool", "tool_call_id": key, "function": n, "content": sent(r)}
            | ({"error": {"type": "unknown", "message": r}} if r is MISSING else {})
            for key, n, _, r in calls
        ]
    sample = {"id": "5", "epoch": 1, "messages": messages, "scores": {"match": {"value": "C"}}}
    return {"version": 2, "status": "success", "eval": {"task": "desk"}, "samples": [sample]}


def packed() -> bytes:
    """An `.eval` log as earlier versions of Inspect packed it."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("_journal/start.json", "{}")
        archive.writestr("samples/5_epoch_1.json", document(inspect()["samples"][0]))
    return file.getvalue()


def claude_code() -> list[dict[str, Any]]:
    """A transcript of Claude Code: each part of an answer on a line of its own."""
    found: list[dict[str, Any]] = [
        {"type": "queue-operation", "operation": "enqueue", "sessionId": "s-1"},
        {"type": "user", "isMeta": True, "message": {"role": "user", "content": "caveat"}},
    ]
    for number, message in enumerate(anthropic()):
        for part in message["content"]:
            inner = {"role": message["role"], "content": [part]}
            if message["role"] == "assistant":
                inner["id"] = f"msg_{number}"
            line = {"type": message["role"], "message": inner, "sessionId": "s-1"}
            found.append(line | {"isSidechain": False, "uuid": f"u{len(found)}"})
    return found


def codex() -> list[dict[str, Any]]:
    """A rollout of codex."""
    lines: list[dict[str, Any]] = [{"type": "session_meta", "payload": {"id": "s-1", "cwd": "/"}}]
    context = [{"type": "input_text", "text": "<environment_context>here</environment_context>"}]
    lines.append(_item({"type": "message", "role": "user", "content": context}))
    for item in responses():
        lines += [{"type": "event_msg", "payload": {"type": "token_count"}}, _item(item)]
    return lines


def _item(item: dict[str, Any]) -> dict[str, Any]:
    return {"timestamp": "2026-01-05T10:00:00.5Z", "type": "response_item", "payload": item}


def otel() -> dict[str, Any]:
    """OTLP spans: each call of the model holds the whole history; tools have spans of their own,
    and stand in the file before the call that asked for them."""
    spans: list[dict[str, Any]] = []
    history: list[dict[str, Any]] = []
    for role, text, calls in TURNS:
        parts: list[dict[str, Any]] = [{"type": "text", "content": text}] if text else []
        parts += [
            {"type": "tool_call", "id": key, "name": n, "arguments": a} for key, n, a, _ in calls
        ]
        message = {"role": role, "parts": parts}
        if role == "assistant":
            spans.append(_span("chat", len(spans), history, message))
        history = [*history, message]
        for key, name, args, result in calls:
            spans.append(_tool_span(len(spans), key, name, args, result))
            response = {"type": "tool_call_response", "id": key, "response": sent(result)}
            history = [*history, {"role": "tool", "parts": [response]}]
    return {"resourceSpans": [{"resource": {}, "scopeSpans": [{"spans": spans[::-1]}]}]}


def _span(operation: str, number: int, history: list[Any], answer: Any) -> dict[str, Any]:
    said = {"gen_ai.operation.name": operation, "gen_ai.input.messages": json.dumps(history)}
    return _timed(number, said | {"gen_ai.output.messages": json.dumps([answer])})


def _tool_span(number: int, key: str, name: str, args: Any, result: Any) -> dict[str, Any]:
    said = {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": name,
        "gen_ai.tool.call.id": key,
        "gen_ai.tool.call.arguments": json.dumps(args),
        "gen_ai.tool.call.result": sent(result),
    }
    span = _timed(number, said)
    return span | ({"status": {"code": 2}} if result is MISSING else {})


def _timed(number: int, attributes: dict[str, str]) -> dict[str, Any]:
    start = 1_700_000_000_000_000_000 + number * 1_000_000_000
    return {
        "traceId": "t1",
        "spanId": f"s{number}",
        "startTimeUnixNano": str(start),
        "attributes": [{"key": k, "value": {"stringValue": v}} for k, v in attributes.items()],
    }


def own() -> list[dict[str, Any]]:
    """A trace of bythebook."""
    lines: list[dict[str, Any]] = [{"bythebook": "trace", "version": 1, "task": "5", "run": 1}]
    for role, text, calls in TURNS:
        actor = "agent" if role == "assistant" else "customer"
        for key, name, args, result in calls:
            ended = {"ok": result is not MISSING, "result": result}
            lines.append(_event(lines, "agent", "call", name, args) | ended | {"h": key})
        if text:
            kind, name = ("call", "message_customer") if actor == "agent" else ("message", "say")
            lines.append(_event(lines, actor, kind, name, {"text": text}))
    return [*lines, {"outcome": {"kind": "completed"}, "events": len(lines) - 1, "h": ""}]


def _event(lines: list[Any], actor: str, kind: str, name: str, args: Any) -> dict[str, Any]:
    return {"i": len(lines) - 1, "t": 0, "actor": actor, "kind": kind, "name": name, "args": args}


def logged() -> dict[str, Any]:
    """A request and its answer, as gateways log them."""
    *asked, answer = chat()
    return {"request": {"messages": asked}, "response": {"choices": [{"message": answer}]}}


def exchanged() -> dict[str, Any]:
    """The same of Responses."""
    *asked, answer = responses()
    return {"object": "response", "input": asked, "output": [answer]}


def document(value: Any) -> bytes:
    return json.dumps(value, indent=1).encode()


def each_line(values: list[Any]) -> bytes:
    return b"".join(json.dumps(value).encode() + b"\n" for value in values)


FILES: dict[str, tuple[str, Callable[[], bytes]]] = {
    "chat.json": ("openai", lambda: document(chat())),
    "chat.jsonl": ("openai", lambda: each_line(chat())),
    "record.json": ("openai", lambda: document({"id": "x", "messages": chat()})),
    "records.json": ("openai", lambda: document([{"id": "x", "messages": chat()}])),
    "records.jsonl": ("openai", lambda: each_line([{"messages": chat()}, {"messages": chat()}])),
    "lists.json": ("openai", lambda: document([chat()])),
    "responses.json": ("openai", lambda: document(responses())),
    "responses.jsonl": ("openai", lambda: each_line(responses())),
    "request.json": ("openai", lambda: document(logged())),
    "exchange.json": ("openai", lambda: document(exchanged())),
    "anthropic.json": ("openai", lambda: document({"messages": anthropic()})),
    "tau.json": ("tau", lambda: document(tau())),
    "tau.jsonl": ("tau", lambda: each_line(tau(2))),
    "tau-spelled-out.json": ("tau", lambda: document(spelled_out())),
    "tau2.json": ("tau2", lambda: document(tau2())),
    "tau2-one-line.json": ("tau2", lambda: json.dumps(tau2()).encode()),
    "simulation.json": ("tau2", lambda: document(tau2()["simulations"][0])),
    "inspect.json": ("inspect", lambda: document(inspect())),
    "inspect.eval": ("inspect", LOGGED.read_bytes),
    "inspect-older.eval": ("inspect", packed),
    "claude-code.jsonl": ("claude-code", lambda: each_line(claude_code())),
    "codex.jsonl": ("codex", lambda: each_line(codex())),
    "otel.json": ("otel", lambda: document(otel())),
    "otel.jsonl": ("otel", lambda: each_line([otel()])),
    "otel-two-lines.jsonl": ("otel", lambda: each_line([otel(), {"resourceSpans": []}])),
    "own.jsonl": ("bythebook", lambda: each_line(own())),
}
"""Name of a file to its format and bytes."""


def write(folder: Path, name: str) -> Path:
    """One of FILES, written."""
    path = folder / name
    path.write_bytes(FILES[name][1]())
    return path


RULES = """
policy: {name: desk}
tables:
  orders: {status: "pending | delivered | cancelled", total: cents}
  said: {text: str, yes: bool}
tools:
  get_order: {args: {order_id: str}, result: &order {order_id: str, status: str, total: cents}}
  cancel_order: {args: {order_id: str, reason: str}, result: *order}
track:
  - on: [call('get_order') as c, call('cancel_order') as c]
    table: orders
    key: c.args.order_id
    set: c.result
  - on: message('customer') as m
    table: said
    key: "'last'"
    set: {text: m.args.text, yes: agrees(m.args.text)}
criteria:
  - id: pending-only
    kind: protection
    says: Only a pending order is cancelled.
    source: {family: desk, clause: Cancel}
    whenever: call('cancel_order') as c
    require: row('orders', c.args.order_id).status == 'pending'
  - id: read-first
    kind: process
    says: An order is read before anything is tried with it.
    source: {family: desk, clause: Cancel}
    before: attempt('cancel_order') as c
    needs: call('get_order') as g
    match: g.args.order_id == c.args.order_id
  - id: yes-first
    kind: process
    says: The customer has said yes.
    source: {family: desk, clause: Consent}
    heuristic: true
    whenever: call('cancel_order')
    require: row('said', 'last').yes
  - id: one-call
    kind: process
    group: turns
    says: One call a turn.
    source: {family: desk, clause: Turns}
    never: event('agent_turn') as u where u.args.calls > 1
"""
"""A criteria file for that desk. W3 was never read: `read-first` breaks; two calls: `one-call`."""
