"""Files of stages that a person spoiled: each is named with the next move, and ends nothing."""

import shutil

import pytest

from bythebook.cli import answer
from tests.build.conduct.site import Site

FILES = [
    "1-alignment/issue-visitor-pass", "2-scenario/scenario", "3-overlay/overlay",
    "4-customer/customer", "6-criteria/criteria", "8-counterexamples/counterexamples",
    "9-blind/blind", "10-blind-cases/played",
]  # fmt: skip


def go(site: Site) -> int:
    minds = ("--model", f"hand:{site.root}/author", "--reviewer", f"hand:{site.root}/reader")
    words = ("build", "conduct-task", "--to", site.place, "--content", site.content, *minds)
    return answer([str(word) for word in words])


@pytest.fixture(scope="module")
def spoilt(built: Site, tmp_path_factory: pytest.TempPathFactory) -> Site:
    return built.copied(tmp_path_factory.mktemp("spoilt") / "site")


@pytest.mark.parametrize("file", FILES)
@pytest.mark.parametrize(
    ("data", "says"),
    [("a: b\n".encode("utf-16"), "save it as UTF-8"), (b"# nothing\n", ""), (None, "--remake")],
    ids=["UTF-16", "a comment alone", "gone"],
)
def test_a_spoilt_file_is_named(
    spoilt: Site, built: Site, file: str, data: bytes | None, says: str,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    shutil.rmtree(spoilt.root)
    shutil.copytree(built.root, spoilt.root)
    path = spoilt.place / f"{file}.yaml"
    if data is None:
        path.unlink()
    else:
        path.write_bytes(data)

    assert go(spoilt) in (1, 2)
    said = " ".join(capsys.readouterr().err.split())
    assert path.parent.name in said
    assert says in said
