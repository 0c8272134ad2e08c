"""Who serves whom, when each server serves once: a bipartite matching that grows by one client."""

from collections.abc import Hashable, Iterable
from typing import Generic, Self, TypeVar

Server = TypeVar("Server", bound=Hashable)


class Matching(Generic[Server]):
    """Clients come one by one, each with the servers it can take. Earlier clients move over to
    another server when that makes room: what counts is that some assignment exists."""

    def __init__(self) -> None:
        self._choices: tuple[tuple[Server, ...], ...] = ()
        self._client: dict[Server, int] = {}
        self._server: dict[int, Server] = {}

    def admit(self, choices: Iterable[Server]) -> bool:
        """Find a server for one more client; False when no assignment serves all."""
        new = len(self._choices)
        self._choices += (tuple(choices),)
        asked_by: dict[Server, int] = {}
        waiting = [new]
        for client in waiting:
            for server in self._choices[client]:
                if server in asked_by:
                    continue
                asked_by[server] = client
                holder = self._client.get(server)
                if holder is None:
                    self._move(server, asked_by, new)
                    return True
                waiting.append(holder)
        return False

    def _move(self, server: Server, asked_by: dict[Server, int], new: int) -> None:
        """Give a free server to whoever asked for it, theirs to whoever asked for that, and on."""
        while True:
            client = asked_by[server]
            left = self._server.get(client)
            self._client[server], self._server[client] = client, server
            if client == new or left is None:
                return
            server = left

    def fork(self) -> Self:
        """An independent copy."""
        twin = type(self)()
        twin._choices = self._choices
        twin._client, twin._server = dict(self._client), dict(self._server)
        return twin
