"""Where and when a procedure holds: no further than its sources, and no case of two countries."""

import pytest

from bythebook import yamlfile
from bythebook.build.sop.forms import Conflicts
from tests.build.sop.firm import Answers, Desk


def abroad(desk: Desk) -> None:
    """The rules in force hold in the UK only."""
    path = desk.sources / "returns-v2.md"
    path.write_text(path.read_text().replace("jurisdiction: any", "jurisdiction: UK"))


@pytest.mark.parametrize(
    ("field", "value", "says"),
    [
        ("effective", ["2024-01-01", None], "effective: returns-v2 holds from 2025-03-01 only"),
        ("scope", {"jurisdiction": "US"}, "returns-v2 holds for jurisdiction UK, the procedure"),
        ("scope", {"product": "books"}, "the procedure for any: link a document that holds there"),
    ],
)
def test_a_procedure_that_reaches_further_than_its_sources_is_refused(
    desk: Desk, field: str, value: object, says: str
) -> None:
    abroad(desk)
    desk.go_on(until="sops")
    draft: Answers = desk.sop() | {"scope": {"jurisdiction": "UK"}} | {field: value}
    desk.say("sops", "take-a-return", draft)

    assert desk.build() == 1
    assert says in (desk.hand / "sops/take-a-return/answer.wrong.txt").read_text()


def test_a_procedure_ends_with_the_first_of_its_sources(desk: Desk) -> None:
    path = desk.sources / "returns-v2.md"
    path.write_text(path.read_text().replace("2025-03-01, null", "2025-03-01, 2026-01-01"))
    desk.go_on(until="sops")
    desk.say("sops", "take-a-return", desk.sop())

    assert desk.build() == 1
    assert (
        "ends on 2026-01-01; end then, or earlier"
        in (desk.hand / "sops/take-a-return/answer.wrong.txt").read_text()
    )


def test_two_countries_are_two_cases_and_nobody_is_asked(desk: Desk) -> None:
    for name, place, days in (("notice-a", "UK", "three"), ("notice-b", "US", "nine")):
        (desk.sources / f"{name}.md").write_text(
            f"---\nscope: {{jurisdiction: {place}}}\n---\nMoney goes out after {days} days.\n"
        )

    def candidates() -> Answers:
        told = desk.candidates()
        one, other = desk.quoted("out after three days"), desk.quoted("out after nine days")
        told["conflicts"].append({"one": one, "other": other, "says": "When money goes out."})
        return told

    assert desk.go_on(instead={"candidates/b01": candidates}) == 0
    listed = yamlfile.load(desk.place / "06-conflicts/conflicts.yaml", Conflicts).conflicts
    (found,) = [c for c in listed if c.one.source.startswith("notice-a")]
    assert found.holds == "both"
    assert "notice-a for jurisdiction UK" in found.why


def test_an_edition_that_nobody_compared_is_named(
    desk: Desk, capsys: pytest.CaptureFixture[str]
) -> None:
    (desk.sources / "returns-v0.md").write_text(
        "---\nfamily: returns\nstatus: superseded\n---\nWhat comes back is paid for at the till.\n"
    )

    assert desk.go_on() == 0
    said = " ".join(capsys.readouterr().err.split())
    assert "returns-v0 is another edition of returns-v2, and no pair of the two is listed" in said
    assert "returns-v1 is another edition" not in said


def test_documents_without_a_day_are_told_how_to_get_one(
    desk: Desk, capsys: pytest.CaptureFixture[str]
) -> None:
    """A day of what has ended is none: it says nothing of when the others begin."""
    (desk.sources / "returns-v2.md").unlink()
    desk.build()
    said = " ".join(capsys.readouterr().err.split())
    assert "no document in force says from when it holds" in said
    assert "`effective` in its file of 01-sources says it" in said

    couriers = desk.place / "01-sources/couriers.yaml"
    couriers.write_text(couriers.read_text() + "effective: [2025-06-01, null]\n")
    desk.build()
    assert "documents count as they stand on 2025-06-01" in capsys.readouterr().err
