"""Harnesses are installed whole or not at all, and never twice at once."""

import fcntl
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from bythebook.errors import BythebookError, UsageError
from bythebook.harness.harnesses import HARNESSES, named
from bythebook.harness.install import STAMP, demand, find, install, place, remove, shelf
from tests.harness.toy import RECIPE, wheel


@pytest.fixture(scope="module", autouse=True)
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """An empty shelf, and the one folder that pip looks in."""
    folder = tmp_path_factory.mktemp("shop")
    wheel(folder / "wheels")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(folder / "cache"))
        patch.setenv("PIP_NO_INDEX", "1")
        patch.setenv("PIP_FIND_LINKS", str(folder / "wheels"))
        yield folder


@pytest.fixture(scope="module")
def told(shop: Path) -> list[str]:
    """What was told while the toy was installed."""
    lines: list[str] = []
    install(RECIPE, lines.append)
    return lines


def test_what_is_installed_is_found_with_all_it_brought(told: list[str]) -> None:
    found = demand(RECIPE)

    assert found.folder == shelf() / "toy-1.0"
    assert subprocess.check_output([found.binary, found.program], text=True) == "Done.\n"
    assert found.packages["toy-harness"] == "1.0"
    assert found.mib > 0


def test_each_step_is_told(told: list[str]) -> None:
    assert str(place(RECIPE)) in told[0]
    assert any("Successfully installed toy-harness-1.0" in line for line in told)


def test_what_is_there_is_not_installed_again(told: list[str]) -> None:
    lines: list[str] = []
    assert install(RECIPE, lines.append) == demand(RECIPE)
    assert lines == []


def test_a_half_made_one_is_not_there(told: list[str]) -> None:
    stamp = place(RECIPE) / STAMP
    whole = stamp.read_bytes()
    try:
        stamp.unlink()
        assert find(RECIPE) is None
        stamp.write_bytes(whole[:20])
        assert find(RECIPE) is None
    finally:
        stamp.write_bytes(whole)
    assert find(RECIPE) is not None


def test_one_whose_program_is_gone_is_not_there(told: list[str]) -> None:
    program = demand(RECIPE).program
    aside = program.rename(program.with_suffix(".aside"))
    try:
        assert find(RECIPE) is None
    finally:
        aside.rename(program)


def test_one_whose_python_is_gone_is_not_there(told: list[str]) -> None:
    stamp = place(RECIPE) / STAMP
    whole = stamp.read_bytes()
    python = str(demand(RECIPE).python).encode()
    try:
        stamp.write_bytes(whole.replace(python, b"/nowhere/python"))
        assert find(RECIPE) is None
    finally:
        stamp.write_bytes(whole)


def test_what_cannot_be_had_leaves_nothing_and_shows_the_command(shop: Path) -> None:
    absent = msgspec.structs.replace(RECIPE, version="9.9")

    with pytest.raises(BythebookError) as error:
        install(absent, lambda _: None)

    assert "pip install" in error.value.what
    assert "toy-harness==9.9" in error.value.what
    assert "(from versions: 1.0)" in error.value.hint
    assert not place(absent).exists()


def test_what_brings_no_program_is_not_kept(shop: Path) -> None:
    wheel(shop / "wheels", "2.0")
    empty = msgspec.structs.replace(RECIPE, version="2.0", program="bin/toy")

    with pytest.raises(BythebookError, match="brought no bin/toy"):
        install(empty, lambda _: None)

    assert not place(empty).exists()


def test_the_old_one_stays_where_the_new_one_fails(told: list[str], shop: Path) -> None:
    before = demand(RECIPE)
    file = shop / "wheels" / "toy_harness-1.0-py3-none-any.whl"
    aside = file.rename(shop / file.name)
    try:
        with pytest.raises(BythebookError):
            install(RECIPE, lambda _: None, again=True)
    finally:
        aside.rename(file)

    assert demand(RECIPE) == before
    assert subprocess.check_output([before.binary, before.program], text=True) == "Done.\n"


def test_an_old_one_that_was_put_aside_by_one_that_was_killed_is_found_again(
    told: list[str],
) -> None:
    before = demand(RECIPE)
    before.folder.rename(before.folder.with_name("toy-1.0.old"))
    before.folder.mkdir()

    assert find(RECIPE) is None
    lines: list[str] = []
    assert install(RECIPE, lines.append) == before
    assert lines == []


INSTALL = "from bythebook.harness.install import install; from tests.harness.toy import RECIPE; "
INSTALL += "import msgspec, sys; "
INSTALL += "install(msgspec.structs.replace(RECIPE, name=sys.argv[1]), "
INSTALL += "lambda line: print(line, flush=True))"


def _installing(name: str) -> subprocess.Popen[str]:
    words = [sys.executable, "-c", INSTALL, name]
    return subprocess.Popen(words, stdout=subprocess.PIPE, text=True)


def test_one_that_was_killed_leaves_none_and_the_next_makes_it_whole(shop: Path) -> None:
    recipe = msgspec.structs.replace(RECIPE, name="killed")
    with _installing("killed") as process:
        assert process.stdout is not None
        process.stdout.readline()
        process.send_signal(signal.SIGKILL)
    assert find(recipe) is None

    # Two at once: each waits while anybody works there, and the second finds its work done.
    with place(recipe).with_name("killed-1.0.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_SH)
        with _installing("killed") as first, _installing("killed") as second:
            for one in (first, second):
                assert one.stdout is not None
                assert "waiting for that" in one.stdout.readline()
            fcntl.flock(lock, fcntl.LOCK_UN)
            said = [one.communicate()[0] for one in (first, second)]

    assert (first.returncode, second.returncode) == (0, 0)
    assert sum("Successfully installed" in text for text in said) == 1
    assert find(recipe) is not None
    assert remove(recipe, lambda _: None)
    assert not remove(recipe, lambda _: None)
    assert find(recipe) is None


@pytest.mark.parametrize("name", HARNESSES)
def test_one_that_is_not_there_is_refused_with_the_command_that_brings_it(name: str) -> None:
    harness = named(name)

    with pytest.raises(UsageError) as error:
        harness.furniture()

    assert f"{name} {harness.recipe.version} is not installed" in str(error.value)
    assert f"bythebook harness install {name}=={harness.recipe.version}" in error.value.hint


def test_another_version_is_asked_for_by_name() -> None:
    assert named("nanobot==0.3.0").recipe.requirement == "nanobot-ai==0.3.0"
    assert named("hermes==0.18.2").recipe.requirement == "hermes-agent[mcp]==0.18.2"


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("nanbot", "did you mean 'nanobot'?"),
        ("nanobot==", "as in nanobot=="),
        ("nanobot==../../x", "is no version"),
        ("nanobot==1.0 --evil", "is no version"),
    ],
)
def test_a_name_that_is_none_is_refused(name: str, says: str) -> None:
    with pytest.raises(UsageError) as error:
        named(name)
    assert says in str(error.value)
