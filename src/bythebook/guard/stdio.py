"""A guard between a client on standard input and output, and a server that it starts."""

import subprocess
import threading
from collections.abc import Sequence
from typing import IO

from bythebook.errors import AgentError, UsageError
from bythebook.guard.relay import Relay

GRACE = 5
"""Seconds a server has to end by itself when its client has gone."""


def over_stdio(
    relay: Relay, command: Sequence[str], client_in: IO[bytes], client_out: IO[bytes]
) -> None:
    """Stand between, until the client goes.

    Raises `UsageError` when the command cannot be started, `AgentError` when the server ends first.
    """
    try:
        server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    except OSError as error:
        raise UsageError(f"cannot be started: {error.strerror}", where=command[0]) from None
    with server:
        between = _Between(relay, server, client_in, client_out)
        threading.Thread(target=between.to_server, daemon=True).start()
        try:
            between.to_client()
        finally:
            relay.broken_off("")
            if server.poll() is None and between.gone:
                between.ended()
            elif server.poll() is None:
                server.terminate()
    if not between.gone:
        what = f"the server ended while its client was there, with code {server.returncode}"
        raise AgentError(what, cause="protocol", where=command[0], hint="try the command alone")


class _Between:
    def __init__(
        self,
        relay: Relay,
        server: "subprocess.Popen[bytes]",
        client_in: IO[bytes],
        client_out: IO[bytes],
    ) -> None:
        assert server.stdin is not None
        assert server.stdout is not None
        self._relay, self._server = relay, server
        self._up, self._down = server.stdin, server.stdout
        self._in, self._out = client_in, client_out
        self._writing = threading.Lock()
        self.gone = False
        """The client has closed its side."""

    def to_server(self) -> None:
        try:
            for line in self._in:
                if line.strip():
                    self._sent(line)
        except (OSError, ValueError):
            return  # the server is gone, which the other side notices
        self.gone = True
        self._up.close()
        self.ended()

    def to_client(self) -> None:
        for line in self._down:
            self._relay.from_server(line)
            self._say(line)

    def ended(self) -> None:
        try:
            self._server.wait(GRACE)
        except subprocess.TimeoutExpired:
            self._server.terminate()

    def _sent(self, line: bytes) -> None:
        forward, answer = self._relay.from_client(line)
        if forward is not None:
            self._up.write(forward + b"\n")
            self._up.flush()
        if answer is not None:
            self._say(answer + b"\n")

    def _say(self, line: bytes) -> None:
        try:
            with self._writing:
                self._out.write(line)
                self._out.flush()
        except BrokenPipeError:
            self.gone = True
