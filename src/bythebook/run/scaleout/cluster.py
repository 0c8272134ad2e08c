"""The Ray cluster a command uses: one that runs already, or one of its own on this machine."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import Any

from bythebook.errors import BythebookError, UsageError

BRING = "pip install 'bythebook[ray]'"
OWN = "local"
"""The address of a cluster that is made for this command and ends with it."""


def demand_ray() -> None:
    """Raises `UsageError` with the command that brings what is missing."""
    if find_spec("ray") is None:
        raise UsageError("--executor ray needs the package ray, which is missing", hint=BRING)


@contextmanager
def cluster(address: str, workers: int | None) -> Iterator[Any]:
    """The module `ray`, connected. `workers`: processors of a cluster of one's own; None: all.

    A cluster that this process is connected to already is used, and left as it was.
    """
    # It would tell its makers of every use.
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    import ray

    if ray.is_initialized():
        yield ray
        return
    more = {"num_cpus": workers} if address == OWN else {}
    try:
        ray.init(address, include_dashboard=False if address == OWN else None,
                 log_to_driver=False, logging_level="ERROR", **more)  # fmt: skip
    except Exception as error:
        says = str(error).strip().partition("\n")[0]
        raise BythebookError(
            f"no Ray cluster: {says}",
            where=address,
            hint="is it running, and is RAY_ADDRESS right? without it one is made here",
        ) from error
    try:
        yield ray
    finally:
        ray.shutdown()
