"""`label`, `names`, `charts`, `whatif`."""

from typing import Any

import pytest
from msgspec.structs import replace

from bythebook.deliverables.checks.fields import Field
from bythebook.deliverables.evidence.model import (
    Chart,
    Deck,
    Recalculation,
    Series,
    Shape,
    Sheet,
    Slide,
    Workbook,
)
from bythebook.errors import ContentError
from tests.deliverables.checks.papers import Computed, F, N, ask, book, sheet

LABEL = "label: {sheet: D, all: [{label: k_gross, equals: 9430451.42}]}"
GROSS = 9430451.42


def board(*rows: list[Any], **more: Any) -> Workbook:
    return book(sheet("D", list(rows), **more))


@pytest.mark.parametrize(
    ("rows", "mark"),
    [
        ([["Total gross pay", GROSS]], "pass"),
        ([["Total gross pay (CNY):", None, GROSS]], "pass"),
        ([["Total gross pay", "Headcount"], [GROSS, 37.0]], "pass"),
        ([["Total gross pay", None, None, "Headcount"], [], [], [GROSS]], "pass"),
        ([["Total gross pay", 37.0], [GROSS, None]], "pass"),
        ([["Total gross pay", None, None, None, GROSS]], "fail"),
        ([["Total gross pay", "Headcount", GROSS]], "fail"),
        ([["Total gross pay", GROSS + 1]], "fail"),
        ([["Total gross pay", f"{GROSS}"]], "fail"),
        ([["Total gross pay", N(9.430451, "9.43")]], "unsure"),
        ([["Total gross pay", F("CNY 9.43 m", 'TEXT(A9,"0.00")')]], "unsure"),
        ([["Gross payroll 2024", GROSS]], "unsure"),
        ([["Total gross pay: 9,430,451.42"]], "unsure"),
        ([["Total gross pay", GROSS], ["x"], ["Total gross pay", GROSS]], "pass"),
        ([["Total gross pay", GROSS], ["x"], ["Total gross pay", 1.0]], "fail"),
    ],
)
def test_a_figure_stands_right_of_its_label_or_below(rows: list[list[Any]], mark: str) -> None:
    assert ask(LABEL, board(*rows)).mark == mark


def test_a_label_in_a_hidden_column_is_not_there_and_a_hidden_figure_fails() -> None:
    assert ask(LABEL, board(["Total gross pay", GROSS], hidden_columns=(1,))).mark == "unsure"
    assert ask(LABEL, board(["Total gross pay", GROSS], hidden_columns=(2,))).mark == "fail"


def test_figures_of_labels_are_live() -> None:
    live = LABEL.replace("42}]", "42}], formula: true")
    assert (
        ask(live, board(["Total gross pay", GROSS])).why == "a constant where a formula is wanted"
    )
    assert ask(live, board(["Total gross pay", F(GROSS, "SUM(Pay!D:D)")])).mark == "pass"


# --- names --------------------------------------------------------------------------------------

NAMES = "names: {are: {TotalGross: 9430451.42, Head: {equals: 37, tol: 0.5}}}"


def named(gross: str = "D!$B$1", **more: Any) -> Workbook:
    rows = [["Total", GROSS], ["Head", 37.2]]
    return book(sheet("D", rows), names={"totalgross": gross, "Head": "=D!$B$2"}, **more)


@pytest.mark.parametrize(
    ("gross", "mark"),
    [
        ("D!$B$1", "pass"),
        ("'D'!B1", "pass"),
        ("D!$B$1:$B$1", "pass"),
        ("D!$B$2", "fail"),
        ("D!$B$1:$B$2", "fail"),
        ("Gone!$B$1", "fail"),
        ("#REF!", "fail"),
        ("9430451.42", "fail"),
        ("SUM(D!$B$1:$B$2)", "fail"),
    ],
)
def test_a_name_refers_to_one_cell_with_the_value(gross: str, mark: str) -> None:
    assert ask(NAMES, named(gross)).mark == mark


def test_a_missing_name_fails_and_a_sheet_s_own_name_counts() -> None:
    bare = book(sheet("D", [["x", GROSS], ["y", 37.0]]), local_names={"D!TotalGross": "$B$1"})
    answer = ask(NAMES, bare)
    assert (answer.mark, answer.wanted, answer.count) == ("fail", "Head", (1, 2))


# --- charts -------------------------------------------------------------------------------------

CHARTS = (
    "charts: {sheet: D, all: [{values: expected/cost.csv#total, type: bar, title: cost},"
    " {values: [1, 2, 3]}]}"
)
COST = {"cost": "department,total\nSales,10.50\nSupport,20.25\n"}


def chart(*values: Any, type: str = "column", title: str = "Cost by department") -> Chart:
    return Chart(type=type, title=title, series=(Series(values=values),))


def drawn(*charts: Chart, pictures: int = 0) -> Workbook:
    return book(Sheet(name="D", charts=charts, pictures=pictures))


@pytest.mark.parametrize(
    ("charts", "mark"),
    [
        ([chart(10.5, 20.25), chart(1, 2, 3)], "pass"),
        ([chart(3.0, 1.0, 2.0, type="line"), chart(20.25, 10.5)], "pass"),
        ([chart(10.504, 20.25), chart(1, 2, 3)], "pass"),
        ([chart(10.5, 20.25, None), chart(1, 2, 3)], "pass"),
        ([chart(10.5, 20.25, type="column+line"), chart(1, 2, 3)], "pass"),
        ([chart(10.5, 20.35), chart(1, 2, 3)], "fail"),
        ([chart(10.5, 20.25, 30.75), chart(1, 2, 3)], "fail"),
        ([chart(10.5, 20.25, type="pie"), chart(1, 2, 3)], "fail"),
        ([chart(10.5, 20.25, title="Heads"), chart(1, 2, 3)], "fail"),
        ([chart(10.5, 20.25)], "fail"),
        ([chart(10500, 20250), chart(1, 2, 3)], "unsure"),
        ([], "fail"),
    ],
)
def test_charts_are_compared_by_their_values(charts: list[Chart], mark: str) -> None:
    assert ask(CHARTS, drawn(*charts), tables=COST).mark == mark


def test_a_picture_of_a_chart_is_none() -> None:
    assert ask(CHARTS, drawn(pictures=2), tables=COST).seen == "0 charts, 2 pictures"


@pytest.mark.parametrize(
    ("values", "mark"),
    [((0.5, 0.25), "pass"), ((50.0, 25.0), "unsure"), ((5.0, 2.5), "fail"), ((500, 250), "fail")],
)
def test_a_chart_of_shares_may_draw_them_in_per_cent(values: tuple[float, ...], mark: str) -> None:
    wants = "charts: {sheet: D, all: [{values: expected/cost.csv#share}]}"
    tables = {"cost": "share\n0.5\n0.25\n"}
    fields = {"share": Field(names=("Share",), read_as="percent")}
    assert ask(wants, drawn(chart(*values)), tables=tables, fields=fields).mark == mark


def test_one_chart_serves_one_entry_and_the_best_share_is_found() -> None:
    twice = "charts: {sheet: D, all: [{values: [1, 2]}, {values: [1, 2], type: pie}]}"
    assert ask(twice, drawn(chart(1, 2, type="pie"))).count == (1, 2)
    assert ask(twice, drawn(chart(1, 2, type="pie"), chart(1, 2))).mark == "pass"


def test_a_chart_may_have_to_show_two_series() -> None:
    pair = "charts: {sheet: D, all: [{values: expected/cost.csv#total, also: [1, 2]}]}"
    both = Chart(type="column", series=(*chart(10.5, 20.25).series, *chart(1, 2).series))
    thousandfold = Chart(
        type="column", series=(*chart(10500, 20250).series, *chart(1000, 2000).series)
    )
    assert ask(pair, drawn(both), tables=COST).mark == "pass"
    assert ask(pair, drawn(thousandfold), tables=COST).mark == "unsure"
    apart = ask(pair, drawn(chart(10.5, 20.25), chart(1, 2)), tables=COST)
    assert (apart.mark, apart.wanted) == ("fail", "10.50, 20.25 with 1, 2")


@pytest.mark.parametrize(
    ("refers_to", "mark"),
    [
        ("D!$B$1:$B$2", "pass"),
        ("(D!$B$1,D!$B$2)", "pass"),
        ("Book.xlsx!Months", "pass"),
        ("D!$B$1:$C$2", "fail"),
        ("D!$A$1:$A$2", "fail"),
        ("D!$B$9", "unsure"),
        ("", "unsure"),
    ],
)
def test_what_a_live_chart_shows_comes_from_formulas(refers_to: str, mark: str) -> None:
    live = "charts: {sheet: D, formula: true, all: [{values: [1, 2]}]}"
    series = Series(values=(1.0, 2.0), values_ref=refers_to)
    rows: list[list[Any]] = [
        [1.0, F(1.0, "C1"), 1.0],
        [2.0, F(2.0, "C2"), F(2.0, "1+1")],
        [3.0, "of both"],
    ]
    page = sheet("D", rows, charts=(Chart(type="column", series=(series,)),))
    answer = ask(live, book(page, names={"Months": "D!$B$1:$B$3"}))
    assert answer.mark == mark


def test_a_live_chart_may_draw_hidden_cells_and_leave_hidden_ones_out() -> None:
    live = "charts: {sheet: D, formula: true, all: [{values: [1, 2]}]}"
    series = Series(values=(1.0, 2.0), values_ref="D!$B$1:$B$3")
    rows: list[list[Any]] = [[0.5, F(1.0, "A1*2")], [1.0, F(2.0, "A2*2")], [1.5, 3.0]]
    page = sheet("D", rows, charts=(Chart(type="column", series=(series,)),))
    assert ask(live, book(replace(page, hidden_rows=(3,)))).mark == "pass"
    assert ask(live, book(replace(page, hidden_columns=(2,)))).mark == "fail"


def test_only_charts_of_a_workbook_can_be_live() -> None:
    with pytest.raises(ContentError, match="name their `sheet`"):
        ask("charts: {file: deck.pptx, formula: true, all: [{values: [1, 2]}]}", Deck(slides=()))


def test_charts_of_a_deck_are_looked_for_on_the_slides_that_are_shown() -> None:
    shape = Shape(number=1, kind="chart", chart=chart(1, 2))
    check = "charts: {file: deck.pptx, all: [{values: [1, 2]}]}"
    assert ask(check, Deck(slides=(Slide(number=1, shapes=(shape,)),))).mark == "pass"
    assert ask(check, Deck(slides=(Slide(number=1, hidden=True, shapes=(shape,)),))).mark == "fail"


# --- what if ------------------------------------------------------------------------------------

WHAT_IF = (
    "whatif: {set: {Roster!B2: 5100}, then:"
    " [{sheet: Pay, find: {employee: EMP001}, column: gross, equals: 7650.00}]}"
)


def roster(pay: Any) -> Workbook:
    base = sheet("roster", [["Employee ID", "Base"], ["EMP001", 5000.0]])
    return book(base, sheet("Pay", [["Employee ID", "Gross pay"], ["EMP001", pay]]))


def asked(pay: Any, changed: Recalculation) -> Any:
    held = Computed({"book.xlsx": roster(pay)}, changed=changed)
    return ask(WHAT_IF, held), held


def ok(values: dict[str, Any]) -> Recalculation:
    return Recalculation(status="ok", values={"Pay": values})


def test_a_live_figure_follows_its_input() -> None:
    answer, held = asked(F(7500.0, "roster!B2*1.5"), ok({"B2": 7650.0}))
    assert answer.mark == "pass"
    assert answer.notes == ("after Roster!B2 = 5100",)
    assert held.changes == {"roster!B2": 5100}


def test_a_pasted_value_does_not_follow() -> None:
    answer, _ = asked(7500.0, ok({}))
    assert (answer.mark, answer.seen) == ("fail", "7500.0 (7500)")


def test_a_wrong_figure_an_error_and_an_unknown_function() -> None:
    formula = F(7500.0, "roster!B2*1.5")
    assert asked(formula, ok({"B2": 7600.0}))[0].mark == "fail"
    assert asked(formula, ok({"B2": "#VALUE!"}))[0].why == "an error value"
    assert asked(formula, ok({"Z1": 1.0}))[0].mark == "unsure"


@pytest.mark.parametrize(
    ("rows", "values", "mark"),
    [
        ([["Total gross pay", F(7500.0, "roster!B2*1.5")]], {"B1": 7650.0}, "pass"),
        ([["Total gross pay", "Heads"], [F(7500.0, "roster!B2*1.5")]], {"A2": 7650.0}, "pass"),
        ([["Total gross pay", F(7500.0, "INT(A9)"), None], [7500.0]], {"B1": 7500.0}, "fail"),
        ([["Total gross pay", 7500.0]], {}, "fail"),
        ([["Total gross pay", F(7500.0, "NEW(A9)")]], {"Z1": 1.0}, "unsure"),
        ([["Something else", F(7500.0, "roster!B2*1.5")]], {"B1": 7650.0}, "unsure"),
    ],
)
def test_the_figure_of_a_label_follows_too(rows: Any, values: Any, mark: str) -> None:
    base = sheet("roster", [["Employee ID", "Base"], ["EMP001", 5000.0]])
    changed = Recalculation(status="ok", values={"D": values})
    held = Computed({"book.xlsx": book(base, sheet("D", rows))}, changed=changed)
    then = "then: [{sheet: D, label: k_gross, equals: 7650.00}]"
    assert ask(f"whatif: {{set: {{Roster!B2: 5100}}, {then}}}", held).mark == mark


@pytest.mark.parametrize(
    ("status", "mark"), [("unavailable", "void"), ("failed", "fail"), ("timeout", "fail")]
)
def test_without_an_engine_it_is_void_and_what_breaks_one_fails(status: Any, mark: str) -> None:
    assert asked(F(7500.0, "B1"), Recalculation(status=status))[0].mark == mark
