"""All of it for a user without any right, whom only root can become: the same facts, once more."""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
NOBODY = 65534
FACTS = (
    "hidden or each_port or cannot_be_opened or killed_all or fork_bomb or never_more or memory"
    " or ours or writable or written"
)
"""All that is hidden, and what else depends on who asks."""
FILES = ("test_hidden.py", "test_doors.py", "test_leftovers.py", "test_sandbox.py")


def pythons() -> Iterator[tuple[str, dict[str, str]]]:
    """This Python, and the machine's with our packages: ours may lie where nobody else can go."""
    yield sys.executable, {}
    sites = [path for path in sys.path if path.endswith("site-packages")]
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    yield f"/usr/bin/{version}", {"PYTHONPATH": ":".join([str(ROOT / "src"), *sites])}


def as_nobody(words: list[str], env: dict[str, str]) -> subprocess.CompletedProcess[str]:
    become = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"]
    return subprocess.run(
        [*become, "--no-new-privs", "env", *words],  # setpriv itself still has root's rights
        cwd=ROOT,
        env={"PATH": os.environ["PATH"], "PYTHONDONTWRITEBYTECODE": "1", **env},
        capture_output=True,
        text=True,
        timeout=110,
        check=False,
    )


def works(choice: tuple[str, dict[str, str]]) -> bool:
    python, env = choice
    return not as_nobody([python, "-c", "import bythebook, pytest"], env).returncode


def test_the_same_holds_for_somebody_without_rights() -> None:
    if os.getuid() != 0 or shutil.which("setpriv") is None:
        pytest.skip("only root can become somebody else")
    python, env = next(filter(works, pythons()), ("", {}))
    if not python:
        pytest.skip("nobody else can read this folder, or there is no Python for them")
    own = Path(tempfile.mkdtemp())
    try:
        os.chown(own, NOBODY, NOBODY)
        files = [f"tests/sandbox/{name}" for name in FILES]
        options = ["-q", "-p", "no:cacheprovider", f"--basetemp={own}/t", "-k", FACTS, *files]
        env = {**env, "HOME": str(own), "TMPDIR": str(own)}
        answer = as_nobody([python, "-m", "pytest", *options], env)
    finally:
        shutil.rmtree(own)
    assert answer.returncode == 0, answer.stdout[-4000:]
