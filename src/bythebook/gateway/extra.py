"""The packages that serve models and tools: an extra of this distribution."""

from importlib.util import find_spec

from bythebook.errors import UsageError

SERVING = ("mcp", "starlette", "uvicorn")
BRING = "pip install 'bythebook[harness]'"


def missing() -> tuple[str, ...]:
    """Those that are not installed."""
    return tuple(name for name in SERVING if find_spec(name) is None)


def demand_extra() -> None:
    """Raises `UsageError` with the command that brings what is missing."""
    if names := missing():
        what = f"programs of others are served by packages that are missing: {', '.join(names)}"
        raise UsageError(what, hint=BRING)
