"""A scripted model server in a process of its own, so that only the client is counted.

python -m bench.server        prints its URL and serves until its standard input closes
"""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from tests.model_server import ModelServer, Say, Use


@contextmanager
def elsewhere() -> Iterator[str]:
    """The URL of a server in another process; it ends with the block."""
    command = [sys.executable, "-m", "bench.server"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        yield process.stdout.readline().strip()
        process.communicate()


if __name__ == "__main__":
    with ModelServer(lambda _: Say(calls=(Use("now"),))) as server:
        print(server.url, flush=True)
        sys.stdin.read()
