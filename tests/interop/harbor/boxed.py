"""The folders of Harbor's containers, in a sandbox: exported scripts run there as they are.

Harbor mounts /logs/verifier, has the agent work in /app, then brings tests/ to /tests and runs
/tests/test.sh; its oracle agent runs /solution/solve.sh. Here the machine's own folders stand
around these, to be read only.
"""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from bythebook.sandbox.machine import trouble

needs_box = pytest.mark.skipif(trouble() != "", reason=f"no sandbox here: {trouble()}")
OWN = ("app", "logs", "scratch", "solution", "tests", "dev", "proc")
PROGRAMS = Path(sys.executable).parent


class Trial(NamedTuple):
    """A task folder, and what is mounted for one trial of it."""

    task: Path
    app: Path
    logs: Path

    @classmethod
    def of(cls, task: Path, folder: Path) -> "Trial":
        """The agent's folder is what environment/ puts into the image."""
        app, logs = folder / "app", folder / "logs"
        subprocess.run(["cp", "-R", task / "environment" / "workspace", app], check=True)
        (app / "results").mkdir(exist_ok=True)
        logs.mkdir()
        return cls(task, app, logs)

    @property
    def results(self) -> Path:
        return self.app / "results"

    def solve(self) -> None:
        """As the oracle agent does."""
        done = self.run("/solution/solve.sh", self.task / "solution")
        assert done.returncode == 0, done.stderr

    def judge(self, **env: str) -> subprocess.CompletedProcess[str]:
        """As the verifier does."""
        return self.run("/tests/test.sh", self.task / "tests", **env)

    def reward(self, **env: str) -> dict[str, Any]:
        done = self.judge(**env)
        assert done.returncode == 0, done.stderr
        found: dict[str, Any] = json.loads((self.logs / "reward.json").read_text())
        return found

    def run(self, script: str, shown: Path, **env: str) -> subprocess.CompletedProcess[str]:
        words = ["bwrap", "--die-with-parent", "--dev", "/dev", "--proc", "/proc"]
        for path in sorted(Path("/").iterdir()):
            if path.name not in OWN:
                link = path.is_symlink()
                words += ["--symlink", str(path.readlink())] if link else ["--ro-bind", str(path)]
                words.append(str(path))
        words += ["--bind", str(self.app), "/app", "--bind", str(self.logs), "/logs/verifier"]
        words += ["--ro-bind", str(shown), f"/{script.split('/')[1]}", "--tmpfs", "/scratch"]
        told = {"PATH": f"{PROGRAMS}:{os.defpath}", "HOME": "/scratch", "TMPDIR": "/scratch"} | env
        words += [word for pair in told.items() for word in ("--setenv", *pair)]
        return subprocess.run(
            [*words, "--chdir", "/app", "bash", script],
            capture_output=True, text=True, check=False, timeout=100,
        )  # fmt: skip
