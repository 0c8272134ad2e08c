"""A company of one's own, which nothing that ships is in."""

from collections.abc import Callable
from pathlib import Path

import pytest

from bythebook.conduct.company import load_company
from bythebook.task import Content
from tests.cli.conftest import Said
from tests.own import TASK

Say = Callable[..., Said]


def test_in_a_company_of_ones_own_is_nothing_that_ships(say: Say, tmp_path: Path) -> None:
    own = tmp_path / "own"
    code, _, err = say("new", "company", 'Moss: "Sons" & Co', "--to", own)
    assert (code, "company/desks/approvals.py" in err) == (0, True)

    assert say("new", "task", TASK, "--to", own)[0] == 0
    company = load_company(Content([own]))
    assert company.about.name == 'Moss: "Sons" & Co'
    assert "gift-policy-v1" not in company.library.documents
    assert {tool.desk for tool in company.tools.values()} == {"approvals", "passes"}
    assert list(Content([own]).tasks("conduct")) == [TASK]
    code, _, err = say("prove", "conduct", "--content", own)
    assert (code, "yes" in err) == (0, True), err


@pytest.mark.parametrize(
    ("code", "says"),
    [
        ("moss.desks", ": No module named 'moss'"),
        (".desks", ": TypeError"),
        ("json", " has no DESKS"),
        ("moss_in_the_making", ": ZeroDivisionError"),
    ],
)
def test_a_company_whose_code_is_not_to_be_had_says_what_to_do(
    code: str, says: str, say: Say, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "moss_in_the_making.py").write_text("DESKS = 1 // 0\n")
    monkeypatch.syspath_prepend(tmp_path)
    own = tmp_path / "own"
    assert say("new", "company", "Moss", "--to", own)[0] == 0
    file = own / "company" / "company.yaml"
    file.write_text(file.read_text() + f"code: {code}\n")

    exit_code, _, err = say("tasks", "--content", own)

    assert exit_code == 2
    assert f"company.yaml: code '{code}'{says}" in " ".join(err.split())
    assert "write desks in company/desks" in err


def test_a_new_document_binds_and_can_be_cited(say: Say, tmp_path: Path) -> None:
    code, _, _ = say("new", "document", "gift-policy-v1", "--to", tmp_path / "own")

    library = load_company(Content([tmp_path / "own"])).library
    assert code == 0
    assert library.in_force("gift-policy", "2025-10-01").id == "gift-policy-v1"
    library.cites("gift-policy#1.2", where="here")
