"""The regulation's arithmetic against cases worked out by hand, and the inputs read back."""

import csv
import re
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

import msgspec
import openpyxl
import pytest

from authoring.edu_01_credit_plan.inputs import write_inputs
from authoring.edu_01_credit_plan.moving import passed
from authoring.edu_01_credit_plan.rules import (
    Rules,
    duty_of,
    elective_students,
    needs,
    semester_finding,
)
from authoring.edu_01_credit_plan.story import SLIPS, Plan, plan, promised, tell
from authoring.edu_01_credit_plan.world import OLD, Teacher


@pytest.fixture(scope="module", params=(0, 1))
def told(request: pytest.FixtureRequest) -> Plan:
    return plan(request.param)


def test_a_half_semester_has_its_own_weeks(told: Plan) -> None:
    # W105: 4 units in 8 weeks, W106: 1 + 6 units in 7 weeks, 45 minutes each
    assert told.course("W105").contact == 24
    assert told.course("W106").contact == Decimal("36.75")


def test_what_is_not_contact_is_self_study(told: Plan) -> None:
    hours = told.world.limits.hours
    assert told.course("W106").self_study == 5 * hours - Decimal("36.75")


def test_an_elective_counts_once_in_its_semester(told: Plan) -> None:
    # semester 4: W401 6, W402 5, elective 5; Treatment 6 + 5 + 3, Monitoring 5 + 5
    assert told.semesters["Treatment", 4] == 30
    assert told.semesters["Monitoring", 4] == 26


@pytest.mark.parametrize(
    ("credits_", "finding"), [(26, "below"), (27, "within"), (33, "within"), (34, "above")]
)
def test_limits_of_a_semester_are_allowed_themselves(credits_: int, finding: str) -> None:
    known = msgspec.structs.replace(OLD, low=27, high=33)
    assert semester_finding(known, credits_) == finding


def test_practice_is_a_fifth_of_the_years_own_credits(told: Plan) -> None:
    found = {(one.pathway, one.year): one for one in told.practice}
    # Monitoring, year 2: 30 + 26 credits, of which 11.2 should be practice; 6 + 5 are
    year = found["Monitoring", 2]
    assert (year.credits, year.practice, year.missing) == (56, 11, Decimal("0.2"))
    assert found["Treatment", 1].missing == 2
    assert found["Treatment", 2].missing == 0


def test_the_second_half_can_build_on_the_first(told: Plan) -> None:
    found = {(one.module, one.needs): one.finding for one in told.needs}
    assert found["W106", "W105"] == "met"
    assert found["W401", "W402"] == "too late"
    assert found["W502", "T43"] == "other pathway"
    apart = {one.module for one in needs(told.world, Rules(blocks=False)) if one.finding != "met"}
    assert "W106" in apart


def test_students_of_an_elective_that_does_not_run_go_where_fewest_are(told: Plan) -> None:
    drawn = msgspec.structs.replace(told.world, registered={"a": 18, "b": 12, "c": 11, "d": 13})
    found = elective_students(drawn, Rules(), "abcd")
    assert found == {"a": 18, "b": 23, "c": 0, "d": 13}


def test_a_duty_in_clock_hours_becomes_teaching_units(told: Plan) -> None:
    known = told.world.limits
    # 12 hours are 16 units; three quarters of a post, less 2
    one = Teacher("Somebody", 12, True, 75, 2, "board")
    assert duty_of(one, Rules(), known) == 10
    assert duty_of(one, Rules(clock=False), known) == 7


def test_nobody_has_duty_or_load_in_a_sabbatical(told: Plan) -> None:
    away = {(one.name, one.away) for one in told.world.teachers if one.away}
    rows = [one for one in told.staffing if (one.teacher, one.term) in away]
    found = [(one.duty, one.load, one.finding) for one in rows]
    assert found == [(Decimal(0), Decimal(0), "within")] * 2


def test_a_practice_module_ages_and_another_does_not(told: Plan) -> None:
    assert "WT-16" not in passed(told.world, Rules(), 0)
    assert "WT-16" in passed(told.world, Rules(expiry=False), 0)
    assert "WT-11" in passed(told.world, Rules(), 0)


def test_four_fifths_are_enough_for_full_credits(told: Plan) -> None:
    rows = {(row.student, row.module): row.credits for row in told.students[2].recognised}
    number = told.students[2].number
    assert rows[number, "W104"] == 5  # 4 of 5 credits: exactly four fifths
    assert rows[number, "W306"] == 3  # 3 of 5
    assert rows[number, "W206"] == 3  # 5 credits for a module of 3
    assert rows[number, "Elective"] == 5  # 4 + 3 without counterpart


def test_entry_semesters_worked_out_by_hand(told: Plan) -> None:
    found = [(one.credits, one.entry, one.make_up) for one in told.students]
    # 66: semester 3, 17 to make up, so 1; 103: semester 4, in winter 3; 124: semester 5
    assert found == [(66, 1, 0), (103, 3, 1), (124, 5, 11)]
    assert told.students[0].made_up_at[3] == 17


@pytest.mark.parametrize("name", SLIPS)
def test_each_slip_changes_promised_values(told: Plan, name: str) -> None:
    assert promised(tell(told.world, SLIPS[name])) != promised(told)


# --- the inputs read back -----------------------------------------------------------------------


def _code(text: object) -> str:
    return re.sub(r"\s", "", str(text)).upper()


def _listed(path: Path) -> Iterator[dict[str, object]]:
    """The rows of the sheet Modules as somebody reads them."""
    book = openpyxl.load_workbook(path)
    rows = list(book["Modules"].iter_rows(min_row=3, values_only=True))
    header = [str(name) for name in rows[0]]
    for row in rows[1:]:
        yield dict(zip(header, row, strict=True))


def test_the_module_plan_says_what_is_expected(told: Plan, tmp_path: Path) -> None:
    write_inputs(told, tmp_path)
    weeks = {None: 15, "H1": 8, "H2": 7}
    found: dict[str, tuple[Decimal, int]] = {}
    for row in _listed(tmp_path / "module-plan.xlsx"):
        if row["Status"] == "approved":
            units = sum(int(str(row[kind] or 0)) for kind in ("Lecture", "Seminar", "Lab"))
            run = weeks[row["Half"]]  # type: ignore[index] # text or nothing
            ects = int(str(row["ECTS"]).strip())
            found[_code(row["Code"])] = (Decimal(units * run * 3) / 4, ects)
    wanted = {one.module.code: (one.contact, one.module.credits) for one in told.courses}
    assert found == wanted


def test_the_records_and_the_mail_say_who_passed_what(told: Plan, tmp_path: Path) -> None:
    write_inputs(told, tmp_path)
    done: dict[str, set[str]] = {one.number: set() for one in told.students}
    with (tmp_path / "student-records.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter=";"):
            code = _code(row["Module"]).replace("-", "").replace("WT", "WT-")
            if Decimal(row["Grade"].replace(",", ".")) <= 4:
                done[row["Student"]].add(code)
    mail = (tmp_path / "mail-from-the-dean.md").read_text("utf-8")
    assert f"{told.students[1].name} sat the resit" in mail
    done[told.students[1].number].add("WT-22")
    for place, student in enumerate(told.students):
        assert done[student.number] == passed(told.world, Rules(expiry=False), place)
