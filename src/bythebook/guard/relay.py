"""Messages of MCP between a client and a server, with a guard between them.

Only calls of tools are looked into, and what they were answered; everything else goes through as it
is. What a client sends is written anew from what was understood of it, so that no second reading of
it is possible: one message at a time, and none that does not read.
"""

import json
from typing import Any

from bythebook.guard.decision import Decision
from bythebook.guard.guard import Guard
from bythebook.models.wire import UNREADABLE, read_json

CALL = "tools/call"
PARSE, REQUEST = -32700, -32600
Sent = dict[str, Any]


class Relay:
    """One conversation, or several that share a guard: `visit` tells them apart."""

    def __init__(self, guard: Guard) -> None:
        self.guard = guard
        self._open: dict[tuple[str, str], Decision] = {}

    def from_client(self, data: bytes, visit: str = "") -> tuple[bytes | None, bytes | None]:
        """What goes on to the server, or what the client is answered instead."""
        try:
            sent = read_json(data)
        except UNREADABLE:
            return None, _problem(None, PARSE, "the message is no JSON")
        if not isinstance(sent, dict):
            return None, _problem(None, REQUEST, "a guard takes one message at a time")
        if sent.get("method") == CALL:
            refusal = self._decided(sent, visit)
            if refusal is not None:
                return None, refusal
        return _line(sent), None

    def from_server(self, data: bytes, visit: str = "") -> None:
        """Whatever the server said; if it answers a call, the guard hears of it."""
        try:
            said = read_json(data)
        except UNREADABLE:
            return
        for one in said if isinstance(said, list) else [said]:
            if isinstance(one, dict) and "id" in one and "method" not in one:
                self._answered(one, visit)

    def broken_off(self, visit: str) -> None:
        """No more answers come to this visit."""
        for key in [key for key in self._open if key[0] == visit]:
            self.guard.lost(self._open.pop(key))

    def _decided(self, sent: Sent, visit: str) -> bytes | None:
        asked = sent.get("params")
        params = asked if isinstance(asked, dict) else {}
        decision = self.guard.ask(str(params.get("name")), params.get("arguments") or {})
        if decision.verdict == "refuse":
            content = [{"type": "text", "text": decision.text}]
            result = {"resultType": "complete", "content": content, "isError": True}
            return _line({"jsonrpc": "2.0", "id": sent.get("id"), "result": result})
        if "id" in sent:
            self._open[visit, _key(sent)] = decision
        else:
            self.guard.lost(decision)  # it wants no answer
        return None

    def _answered(self, said: Sent, visit: str) -> None:
        decision = self._open.pop((visit, _key(said)), None)
        if decision is None:
            return
        result = said.get("result")
        if isinstance(result, dict):
            self.guard.did(decision, given(result), ok=not result.get("isError"))
        else:
            self.guard.did(decision, json.dumps(said.get("error")), ok=False)


def given(result: Sent) -> Any:
    """What a tool gave, as rules read it: its structure, or else its texts."""
    structure = result.get("structuredContent")
    if isinstance(structure, dict):
        return structure["result"] if set(structure) == {"result"} else structure
    content = result.get("content")
    parts = content if isinstance(content, list) else []
    return "".join(str(one.get("text", "")) for one in parts if isinstance(one, dict))


def _key(message: Sent) -> str:
    return json.dumps(message.get("id"))


def _problem(id: Any, code: int, what: str) -> bytes:
    return _line({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": what}})


def _line(message: Sent) -> bytes:
    return json.dumps(message, separators=(",", ":")).encode()
