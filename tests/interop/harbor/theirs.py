"""A task of Harbor with a judge of Reward Kit, as files; and the command line."""

from pathlib import Path

import pytest

from bythebook.cli import answer

Said = tuple[int, str, str]
"""Exit code, stdout, stderr."""

TASK_TOML = """
schema_version = "1.1"
[task]
name = "acme/Quarter_Report"
description = "A report on the quarter"
keywords = ["report"]
[metadata]
category = "finance"
[agent]
timeout_sec = 120.0
"""

JUDGE = """
[judge]
judge = "anthropic/any"
files = ["/app/report.md"]
prompt_template = "judge.md"

[[criterion]]
description = "Names the total, 3."
name = "total"
weight = 5.0

[[criterion]]
description = "Reads well."
type = "likert"
weight = 1

[[criterion]]
description = "Invents figures."
negate = true
weight = 3
"""

FILES = {
    "task.toml": TASK_TOML,
    "instruction.md": "<!-- harbor-canary 1 -->\n\nWrite /app/report.md on data/sales.csv.\n",
    "environment/Dockerfile": (
        "FROM python:3.12\n# Tools.\nRUN pip install pandas \\\n  openpyxl\nWORKDIR /app\n"
        "COPY data/ ./data/\n"
    ),
    "environment/data/sales.csv": "item,sold\nA,1\nB,2\n",
    "tests/test.sh": "#!/bin/bash\nuvx --from harbor-rewardkit rewardkit /tests\n",
    "tests/quality.toml": JUDGE,
    "tests/judge.md": "You are strict.\n{criteria}\n",
    "solution/report.md": "# Report\n\nThe total is 3.\n",
    "solution/solve.sh": "cp /solution/report.md /app/\n",
}


def theirs(folder: Path, **files: str | None) -> Path:
    """The task; `files` replaces or adds some, by name with `__` for `/`, or takes one away."""
    told = FILES | {name.replace("__", "/"): text for name, text in files.items()}
    for name, text in told.items():
        if text is not None:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text, "utf-8")
    return folder


def said(capsys: pytest.CaptureFixture[str], *words: str | Path) -> Said:
    capsys.readouterr()
    code = answer([str(word) for word in words])
    out, err = capsys.readouterr()
    return code, out, " ".join(err.split())
