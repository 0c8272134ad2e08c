"""Documents are dated, scoped and print the numbers that the tools use."""

from pathlib import Path

import pytest

from bythebook.conduct.documents import Library, Scope, load_library
from bythebook.conduct.parameters import Parameter, Parameters, Period, load_parameters
from bythebook.errors import ContentError

FEE = Parameter("USD", (Period(800, to="2025-09-15"), Period(1000, since="2025-09-15")))
PARAMETERS = Parameters({"release.fee": FEE})

FRONT = """---
id: {id}
family: {family}
title: {title}
kind: policy
scope: {{product: {product}, jurisdiction: any, segment: business}}
effective: [{since}, {to}]
supersedes: {supersedes}
authority: Head of Operations
status: {status}
---
{body}
"""


def write(folder: Path, id: str, **changes: str) -> None:
    fields = {
        "id": id,
        "family": "fees",
        "title": "Fees",
        "product": "releases",
        "since": "2025-09-15",
        "to": "null",
        "supersedes": "null",
        "status": "in force",
        "body": "3.1 A release costs {{release.fee}}.",
    } | changes
    (folder / f"{id}.md").write_text(FRONT.format(**fields))


def library(folder: Path) -> Library:
    return load_library([folder], PARAMETERS)


def test_a_number_is_filled_for_the_documents_own_period(tmp_path: Path) -> None:
    write(tmp_path, "fees-v1", to="2025-09-15", since="2025-01-01", status="superseded")
    write(tmp_path, "fees-v2", supersedes="fees-v1")

    found = library(tmp_path)

    assert "costs $8.00." in found.documents["fees-v1"].text
    assert "costs $10.00." in found.documents["fees-v2"].text


def test_a_reference_names_the_version_that_binds_and_no_draft(tmp_path: Path) -> None:
    write(tmp_path, "fees-v2", title="Fees in autumn")
    write(tmp_path, "fees-v3-draft", title="Proposed fees", since="2026-01-01", status="draft")
    write(tmp_path, "guide", family="guide", title="Guide", body="See {{doc:fees#3.1}}.")

    assert "See *Fees in autumn*, 3.1." in library(tmp_path).documents["guide"].text


def test_a_number_that_changes_inside_the_period_is_a_load_error(tmp_path: Path) -> None:
    write(tmp_path, "fees-v1", since="2025-01-01")

    with pytest.raises(ContentError, match="changes on 2025-09-15, inside the document's period"):
        library(tmp_path)


def test_exactly_one_version_is_in_force_on_a_day(tmp_path: Path) -> None:
    write(tmp_path, "fees-v1", to="2025-09-15", since="2025-01-01", status="superseded")
    write(tmp_path, "fees-v2")
    write(tmp_path, "fees-v3-draft", status="draft")

    found = library(tmp_path)

    assert found.in_force("fees", "2025-09-14").id == "fees-v1"
    assert found.in_force("fees", "2025-09-15").id == "fees-v2"
    with pytest.raises(ContentError, match="0 documents in force on 2024-01-01"):
        found.in_force("fees", "2024-01-01")


def test_two_versions_in_force_at_once_are_a_load_error(tmp_path: Path) -> None:
    write(tmp_path, "fees-v1", since="2025-09-16", to="2025-12-01")
    write(tmp_path, "fees-v2")

    with pytest.raises(ContentError, match="both in force on some day"):
        library(tmp_path)


def test_versions_for_other_products_stand_side_by_side(tmp_path: Path) -> None:
    write(tmp_path, "fees-cards", product="cards")
    write(tmp_path, "fees-releases")

    found = library(tmp_path).in_force("fees", "2025-09-20", Scope(product="cards"))

    assert found.id == "fees-cards"


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"body": "A release costs {{release.fe}}."}, "did you mean 'release.fee'"),
        ({"body": "See {{doc:fee#1}}."}, "did you mean 'fees'"),
        ({"supersedes": "fees-v9"}, "no document 'fees-v9'"),
        ({"status": "current"}, "status"),
        ({"body": " "}, "has no body"),
    ],
)
def test_what_does_not_fit_is_named(tmp_path: Path, changes: dict[str, str], says: str) -> None:
    write(tmp_path, "fees-v1", **changes)

    with pytest.raises(ContentError, match=says):
        library(tmp_path)


def test_the_id_is_the_file_name(tmp_path: Path) -> None:
    write(tmp_path, "fees-v1")
    (tmp_path / "fees-v1.md").rename(tmp_path / "fees.md")

    with pytest.raises(ContentError, match=r"the file is fees\.md"):
        library(tmp_path)


def test_a_clause_that_is_cited_must_stand_in_the_family(tmp_path: Path) -> None:
    write(tmp_path, "fees-v1")
    found = library(tmp_path)

    found.cites("fees#3.1", where="x")
    with pytest.raises(ContentError, match=r"no clause of fees '3\.2'"):
        found.cites("fees#3.2", where="x")
    with pytest.raises(ContentError, match="did you mean 'fees'"):
        found.cites("feess#3.1", where="x")


def test_a_parameter_may_not_be_given_twice_nor_overlap(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("x: {unit: USD, values: [{value: 1}]}\n")
    (tmp_path / "b.yaml").write_text("x: {unit: USD, values: [{value: 2}]}\n")
    with pytest.raises(ContentError, match="given twice"):
        load_parameters([tmp_path])

    (tmp_path / "b.yaml").unlink()
    overlap = "x: {unit: USD, values: [{value: 1, to: 2025-02-01}, {from: 2025-01-01, value: 2}]}\n"
    (tmp_path / "a.yaml").write_text(overlap)
    with pytest.raises(ContentError, match="overlap"):
        load_parameters([tmp_path])


@pytest.mark.parametrize(
    ("value", "unit", "shown"),
    [
        (1000, "USD", "$10.00"),
        (123456789, "EUR", "€1,234,567.89"),
        (-5, "USD", "-$0.05"),
        (125, "bp", "1.25%"),
        (1, "days", "1 day"),
        (14, "minutes", "14 minutes"),
        ("16:00", "clock", "16:00"),
        (250, "CHF", "CHF 2.50"),
    ],
)
def test_a_value_reads_as_people_write_it(value: int | str, unit: str, shown: str) -> None:
    entry = Parameter(unit, (Period(value),))

    assert Parameters({"x": entry}).shown("x", "2025-01-01", None) == shown
