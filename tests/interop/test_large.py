"""A file that is a hundred times as large takes no more memory."""

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest

from tests.interop import story
from tests.interop.anything import checked, outcome

PROGRAM = """
import pathlib, re, sys
from bythebook.cli import answer
code = answer(["check", "rules.yaml", sys.argv[1], "--json"])
most = re.search(r"VmHWM:\\s+(\\d+)", pathlib.Path("/proc/self/status").read_text())
print(code, most[1], file=sys.stderr)
"""
"""The peak is asked of the kernel: `ru_maxrss` begins with the peak of the parent."""
LARGE = 6 << 20
"""Bytes. Read whole, such a file takes more than 30 MiB."""
MOST = 8 << 10
"""KiB that a large file may take more than a small one."""


def tau2(size: int) -> Iterator[str]:
    document = story.tau2()
    (run,) = document.pop("simulations")
    yield json.dumps(document)[:-1] + ', "simulations": ['
    yield from repeated(json.dumps(run), size)
    yield "]}"


def chat(size: int) -> Iterator[str]:
    """One conversation without end."""
    yield "["
    yield from repeated(json.dumps(story.chat())[1:-1], size)
    yield "]"


def otel(size: int) -> Iterator[str]:
    yield '{"resourceSpans": ['
    yield from repeated(json.dumps(story.otel()["resourceSpans"][0]), size)
    yield "]}"


def tau(size: int) -> Iterator[str]:
    yield "["
    yield from repeated(json.dumps(story.tau()[0]), size)
    yield "]"


def inspect(size: int) -> Iterator[str]:
    document = story.inspect()
    (sample,) = document.pop("samples")
    yield json.dumps(document)[:-1] + ', "samples": ['
    yield from repeated(json.dumps(sample), size)
    yield "]}"


def codex(size: int) -> Iterator[str]:
    yield from copied(story.codex(), size)


def claude_code(size: int) -> Iterator[str]:
    yield from copied(story.claude_code(), size)


def own(size: int) -> Iterator[str]:
    """One run without end: its events are numbered on and on."""
    head, *events, closing = story.own()
    yield json.dumps(head) + "\n"
    count = len(events) * (1 + size // len(json.dumps(events)))
    for number, event in zip(range(count), cycle(events), strict=False):
        yield json.dumps(event | {"i": number}) + "\n"
    yield json.dumps(closing | {"events": count}) + "\n"


def copied(lines: list[dict[str, Any]], size: int) -> Iterator[str]:
    text = story.each_line(lines).decode()
    yield from [text] * (1 + size // len(text))


def repeated(one: str, size: int) -> Iterator[str]:
    yield one
    yield from [f", {one}"] * (size // len(one))


def peak(folder: Path, make: Callable[[int], Iterator[str]], size: int) -> int:
    """KiB at most, when a file of this size is checked."""
    path = folder / ("large.jsonl" if make in (codex, claude_code, own) else "large.json")
    with path.open("w", encoding="utf-8") as file:
        file.writelines(make(size))
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, path.name],
        cwd=folder, capture_output=True, text=True, check=True,
    )  # fmt: skip
    code, most = done.stderr.split()[-2:]
    assert code == "1"
    assert json.loads(done.stdout)["summary"]["broken"] >= 1
    return int(most)


@pytest.mark.parametrize("make", [tau, tau2, chat, inspect, otel, codex, claude_code, own])
def test_memory_does_not_grow_with_the_file(
    make: Callable[[int], Iterator[str]], tmp_path: Path
) -> None:
    (tmp_path / "rules.yaml").write_text(story.RULES)
    small = peak(tmp_path, make, 0)
    assert peak(tmp_path, make, LARGE) - small < MOST


@pytest.mark.parametrize("name", ["one.json", "one.jsonl"])
def test_one_long_text_is_looked_at_once(name: str, tmp_path: Path) -> None:
    """A picture of 12 MiB inside a message: read again for each piece, it would take minutes."""
    picture = {"role": "user", "content": "data:image/png;base64," + "iVBOR" * (12 << 18)}
    path = tmp_path / name
    path.write_text(json.dumps([picture, *story.chat()]), "utf-8")
    begun = time.process_time()
    (trace,), problems = checked(path)
    assert time.process_time() - begun < 10
    assert problems == []
    assert {one.id: one.verdict for one in trace.criteria}["read-first"] == "fail"


@pytest.mark.parametrize("depth", [200, 5_000, 500_000])
@pytest.mark.parametrize("head", ['[{"role": "user", "content": ', '{"simulations": [{"id": '])
def test_a_value_nested_without_end_is_judged_or_refused_at_once(
    head: str, depth: int, tmp_path: Path
) -> None:
    path = tmp_path / "deep.json"
    ends = "".join({"[": "]", "{": "}"}[sign] for sign in reversed(head) if sign in "[{")
    path.write_text(f"{head}{'[' * depth}{']' * depth}{ends}")
    begun = time.process_time()
    outcome(path)
    assert time.process_time() - begun < 10
