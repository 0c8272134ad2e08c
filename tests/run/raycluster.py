"""A Ray cluster of several nodes on this machine, and ways to break it."""

import os
import shutil
import signal
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

OFF = {"RAY_AUTH_MODE": "disabled", "RAY_USAGE_STATS_ENABLED": "0"}
"""A cluster on loopback for a minute wants no token in anybody's home."""
QUICK = {"health_check_initial_delay_ms": 0, "health_check_period_ms": 500}
QUICK |= {"health_check_failure_threshold": 5, "health_check_timeout_ms": 10_000}
"""A node that is gone refuses at once and is missed within seconds; one that is only slow, on a
busy machine, has time to answer."""


@dataclass
class Machines:
    """A head, and other nodes; all have processors."""

    cluster: Any
    nodes: list[Any] = field(default_factory=list)

    @property
    def env(self) -> dict[str, str]:
        """Of a command that uses it."""
        return {**os.environ, "RAY_ADDRESS": self.cluster.address}

    def add(self, processors: int) -> None:
        node = self.cluster.add_node(wait=False, num_cpus=processors, include_dashboard=False)
        self.nodes.append(node)

    def lose_one_with(self, actor: str) -> bool:
        """A node with an actor of this class goes as a machine does that loses its power: all of
        it, without a word. False: there is none."""
        node = next((node for node in self.nodes if [*_of(actor, node)]), None)
        if node is None:
            return False
        self.nodes.remove(node)
        for info in [one for found in node.all_processes.values() for one in found]:
            for process in [*_below(info.process.pid), info.process.pid]:
                with suppress(ProcessLookupError):
                    os.kill(process, signal.SIGKILL)
            info.process.wait()
        return True

    def kill_an(self, actor: str) -> bool:
        """kill -9 of the process of an actor of this class; False: there is none."""
        for node in (*self.nodes, self.cluster.head_node):
            for process in _of(actor, node):
                os.kill(process, signal.SIGKILL)
                return True
        return False


def _of(actor: str, node: Any) -> Iterator[int]:
    """Process ids of the actors of a class on a node."""
    raylets = {info.process.pid for info in _raylets(node)}
    for place in Path("/proc").glob("[0-9]*"):
        with _gone():
            # What Ray calls a process that has made an actor.
            named = f"ray::{actor}".encode() in (place / "cmdline").read_bytes()
            parent = int((place / "stat").read_text().rpartition(")")[2].split()[1])
            if named and parent in raylets:
                yield int(place.name)


def _below(process: int) -> list[int]:
    """Ids of the processes that a process has begun, and of theirs."""
    found: list[int] = []
    for place in Path("/proc").glob("[0-9]*"):
        with _gone():
            parent = int((place / "stat").read_text().rpartition(")")[2].split()[1])
            if parent == process:
                found += [*_below(int(place.name)), int(place.name)]
    return found


@contextmanager
def _gone() -> Iterator[None]:
    try:
        yield
    except OSError:
        return


def _raylets(node: Any) -> list[Any]:
    found: list[Any] = node.all_processes.get("raylet", [])
    return found


@contextmanager
def machines(processors: tuple[int, ...], **env: str) -> Iterator[Machines]:
    """Nodes with so many processors each, the head first; `env`: what their programs find
    there."""
    before, place = dict(os.environ), tempfile.mkdtemp(prefix="ray-")
    os.environ |= OFF | env | {"RAY_TMPDIR": place}
    from ray.cluster_utils import Cluster

    head = {"num_cpus": processors[0], "include_dashboard": False, "_system_config": QUICK}
    cluster = Cluster(initialize_head=True, head_node_args=head)
    try:
        found = Machines(cluster)
        for count in processors[1:]:
            found.add(count)
        for name in env:
            del os.environ[name]
        yield found
    finally:
        cluster.shutdown()
        os.environ.clear()
        os.environ.update(before)
        shutil.rmtree(place, ignore_errors=True)
