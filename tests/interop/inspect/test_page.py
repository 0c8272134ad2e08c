"""The page on Inspect is true: its second block runs here, its first is what `twice` played."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.interop.inspect.conftest import PAGE, Twice, lines_of_page
from tests.test_docs import commands

pytest.importorskip("inspect_ai", reason="the extra `inspect` is not installed")

pytestmark = pytest.mark.timeout(300)
"""The first test of a worker waits until Inspect has played."""


def test_the_first_command_is_played(twice: Twice) -> None:
    first = lines_of_page()[0]
    assert first.startswith("inspect eval bythebook/conduct")
    assert twice.log.exists()


def test_the_commands_of_the_page_do_what_it_says(tmp_path: Path) -> None:
    env = {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.defpath}", "HOME": str(tmp_path)}
    page = PAGE.read_text("utf-8")
    block = re.findall(r"^```console inspect\n.*?^```$", page, re.M | re.S)[1]
    for one in commands(block.replace("console inspect", "console run")):
        said = subprocess.run(
            shlex.split(one.line),
            cwd=tmp_path,
            env=env,
            capture_output=True,
            text=True,
            check=False,
            timeout=100,
        )
        assert said.returncode == 0, said.stderr
        heard = " ".join((said.stdout + said.stderr).split())
        assert all(line in heard for line in one.says), heard
