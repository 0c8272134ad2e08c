"""Every word of the program takes --json, and prints one document with it and nothing else."""

import io
import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import click
import msgspec
import pytest

from bythebook.cli import bythebook as program
from bythebook.harness.harnesses import HARNESSES
from bythebook.harness.install import STAMP, place
from bythebook.run.durable import write_whole
from tests.cli.conftest import MILEAGE, PLACE, Said
from tests.guard.desk import RULES, guard_of
from tests.own import BYTHEBOOK, TASK

Say = Callable[..., Said]

CHECK = f"mine/{PLACE}"
BUILD = "build deliverable-task --to built"
FORM = "build conduct-task --to drawn --model hand:asked --author Ada"
SIGNED = "--who Ada --kind person --why because"
STORY = f"""
new company: new company Shop --to mine
new task: new task {TASK} --to mine
new task: new task {MILEAGE} --suite deliverables --to mine
new tool: new tool book_courier --desk hall --to mine
new document: new document gift-policy-v1 --to mine
new check: new check column --to {CHECK}
run: run conduct --task {TASK} --agent golden --runs 1 --to r --dry-run
run: run conduct --task {TASK} --agent golden --runs 1 --to r
run: run conduct --task {TASK} --agent golden --runs 1 --to r2
run: run conduct --task {TASK} --agent shortcut --runs 1 --to s
run: run deliverables --task {MILEAGE} --agent reference --runs 1 --to d
submit: submit {MILEAGE} {CHECK}/reference/mileage.xlsx --agent ada --to handed
judge: judge d --judge hand:asked-of-judges
score: score r
show: show r/{TASK}/1
show: show d/{MILEAGE}/1
report: report r --table conduct
report: report --list
report: report r --table conduct --figures drawn
compare: compare r s
merge: merge r r2 --pool --to both
redact: redact s --to covered
seal: seal r --to sealed.tar.gz
verify: verify sealed.tar.gz
check: check rules.yaml told.json
guard: guard --criteria rules.yaml --replay journal.jsonl
act: act --new conduct {TASK} --to acted
act: act acted/{TASK}/1
act: act acted/{TASK}/1 now
play: play conduct {TASK} --to played
play: play conduct {TASK} --to played
prove: prove conduct --task {TASK}
export harbor: export harbor --task {MILEAGE} --to harbor
import harbor: import harbor harbor/{MILEAGE} --to theirs
harness: harness
harness install: harness install hermes
harness remove: harness remove hermes
build sop: build sop papers --to procedures --model hand:asked
build check: build check procedures
build conduct-task: {FORM} --task q91-next issue-visitor-pass
build conduct-task: {FORM} --decide review=return {SIGNED}
build deliverable-task: {BUILD}
build deliverable-task new: {BUILD} new product one
build deliverable-task new: {BUILD} new scenario one
build deliverable-task new: {BUILD} new interview one
build deliverable-task show: {BUILD} show product/one
build deliverable-task decide: {BUILD} decide product-admission product/one --pass {SIGNED}
build deliverable-task decide: {BUILD} decide product-admission product/one --return {SIGNED}
build deliverable-task report: {BUILD} report
build deliverable-task draft scenario: {BUILD} draft scenario one two --model hand:asked
build deliverable-task draft query: {BUILD} draft query one --model hand:asked
build deliverable-task draft rubric: {BUILD} draft rubric {MILEAGE} --model hand:asked
"""
"""Words and lines that give them, in an order in which each finds what it needs."""
STANDING = {
    "serve": f"serve conduct {TASK} --to served --content mine --http --json",
    "guard": "guard --criteria rules.yaml --http http://127.0.0.1:9/mcp --json",
}
"""Those that go on until they are stopped."""
ELSEWHERE = {
    "build deliverable-task prove": "a whole proof: build/deliverable/story.py",
    "tasks": "reads what all shipped tasks are judged by: test_words.py",
    "doctor": "the same",
    "export harbor-reward": "wants LibreOffice: interop/harbor/test_export.py",
    "export inspect": "needs an extra: interop/inspect/test_export.py",
    "demo": "plays every task there is: test_commands.py",
}
TYPED = ("now\n", "finish All done\nyes\n")
"""To `play`: somebody leaves, comes back, and ends the run."""


def lines() -> Iterator[tuple[str, list[str]]]:
    for line in STORY.strip().splitlines():
        word, _, given = line.partition(": ")
        yield word, given.split()


def words(command: click.Command, *path: str) -> Iterator[tuple[str, click.Command]]:
    """All that can be typed: words, and groups of words that do something alone."""
    if not isinstance(command, click.Group) or (path and command.invoke_without_command):
        yield " ".join(path), command
    if isinstance(command, click.Group):
        ctx = click.Context(command)
        for name in command.list_commands(ctx):
            found = command.get_command(ctx, name)
            assert found is not None
            yield from words(found, *path, name)


def test_every_word_takes_json_and_is_tried() -> None:
    there = dict(words(program))
    takes = {
        word for word, one in there.items() if "--json" in {o for p in one.params for o in p.opts}
    }

    assert takes == set(there)
    assert {word for word, _ in lines()} | set(STANDING) | set(ELSEWHERE) == set(there)


@pytest.fixture
def shop(tmp_path: Path, no_office: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the story finds: an installed harness, rules, a trace, a journal, and a paper."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    recipe = HARNESSES["hermes"].recipe
    program = place(recipe) / recipe.program
    program.parent.mkdir(parents=True)
    program.touch()
    stamp = dict(requirement=recipe.requirement, python=sys.executable, mib=1, packages={})
    (place(recipe) / STAMP).write_bytes(msgspec.json.encode(stamp))
    Path("rules.yaml").write_text(RULES)
    Path("told.json").write_text('[{"role": "user", "content": "Hello."}]')
    with guard_of(journal=Path("journal.jsonl"), hears=False) as guard:
        guard.ask("refund", {"id": "7"})
    told = {"tasks": f"scenario: one\nfolder: ../../../{CHECK}\n", "interviews": "product: one\n"}
    for folder, text in told.items():
        name = f"{MILEAGE}/record.yaml" if folder == "tasks" else "two.yaml"
        write_whole(Path("built", folder, name), text.encode())
    Path("papers").mkdir()
    Path("papers/returns.md").write_text("# Returns\n\n1.1 Open a case before anything else.\n")


def test_every_word_prints_one_document_and_nothing_else(
    say: Say, shop: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    odd: dict[str, str] = {}
    typed = iter(TYPED)
    for word, given in lines():
        if word == "play":
            monkeypatch.setattr(sys, "stdin", io.StringIO(next(typed)))
        own = [] if given[:2] == ["new", "company"] else ["--content", "mine"]
        code, out, err = say(*given, *own, "--json")
        try:
            assert code in (0, 1), err
            assert isinstance(json.loads(out), dict), err
        except (AssertionError, ValueError) as wrong:
            odd[" ".join(given)] = f"{code}: {wrong}: {out[:200]}"

    assert odd == {}


def test_those_that_go_on_print_it_at_the_start(say: Say, shop: None) -> None:
    say("new", "company", "Shop", "--to", "mine")
    say("new", "task", TASK, "--to", "mine")
    at_work = {
        word: subprocess.Popen([BYTHEBOOK, *line.split()], stdout=subprocess.PIPE, text=True)
        for word, line in STANDING.items()
    }
    try:
        found = {word: json.loads(document(one)) for word, one in at_work.items()}
    finally:
        for one in at_work.values():
            one.kill()
            one.communicate()

    assert {word: set(told) for word, told in found.items()} == {
        "serve": {"url", "run"}, "guard": {"url", "rules", "mode"},
    }  # fmt: skip


def document(standing: subprocess.Popen[str]) -> str:
    """The lines up to the bracket that closes it."""
    assert standing.stdout is not None
    read = ""
    for line in standing.stdout:
        read += line
        if line.startswith("}"):
            break
    return read


@pytest.mark.parametrize(
    "line", ["guard --criteria rules.yaml --json -- true", f"serve conduct {TASK} --json"]
)
def test_where_standard_output_is_spoken_on_it_is_refused(say: Say, shop: None, line: str) -> None:
    code, out, err = say(*line.split())

    assert (code, out) == (2, "")
    assert "--json" in err
    assert "--http" in err
