"""Every published figure that follows from others is computed from them.

Exact arithmetic on the figures as printed. A figure is reproduced when the computed one, rounded to
its digits, is the printed one, either way of rounding a half.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import pytest

from bythebook.report.published.papers import PaperTable, paper_table

SCORE = paper_table("startupbench-table-3-score")
SUCCESS = paper_table("startupbench-table-3-success")
LEVELS = paper_table("startupbench-table-4")
DIMENSIONS = paper_table("startupbench-figure-4")
FORMATS = paper_table("startupbench-table-5")
HARNESSES = paper_table("startupbench-table-6")
KINDS = paper_table("startupbench-table-7")
DOMAINS = paper_table("startupbench-table-2")
ITEMS = paper_table("startupbench-table-9")
AGREEMENT = paper_table("startupbench-agreement")
WEIGHTS = paper_table("startupbench-appendix-c")
FACTS = paper_table("startupbench-facts")
CONDUCT = paper_table("bizagentbench-table-1")
CONDITIONS = paper_table("bizagentbench-table-2")
CONDUCT_FACTS = paper_table("bizagentbench-facts")

MODELS = tuple(row.key for row in SCORE.rows)
TOP = ("kimi-k3", "gpt-5.6-sol")
PAGE = Path(__file__).resolve().parents[3] / "docs" / "published.md"


def figure(table: PaperTable, row: str, column: str = "value") -> Decimal:
    found = table.cell(row, column)
    assert found is not None, f"{table.id}: no figure for {row}, {column}"
    return found.value


def exact(table: PaperTable, row: str, column: str = "value") -> Fraction:
    return Fraction(figure(table, row, column))


def total(parts: Iterable[Fraction]) -> Fraction:
    return sum(parts, Fraction(0))


def mean_of_models(table: PaperTable, column: str) -> Fraction:
    return total(exact(table, model, column) for model in MODELS) / len(MODELS)


def tasks_of_domains() -> dict[str, int]:
    found = {column.key: column.tasks for column in SCORE.columns}
    return {key: int(tasks.value) for key, tasks in found.items() if tasks is not None}


def rounds(computed: Fraction, printed: Decimal) -> bool:
    """Is the printed figure the computed one, rounded to its digits?"""
    exponent = printed.as_tuple().exponent
    assert isinstance(exponent, int)
    return abs(computed - Fraction(printed)) <= Fraction(10) ** exponent / 2


def counts(printed: Decimal, of: int) -> list[int]:
    """All k for which k of `of`, as a percentage, is printed so."""
    near = Fraction(printed) * of / 100
    around = range(max(0, int(near) - 2), min(of, int(near) + 2) + 1)
    return [k for k in around if rounds(Fraction(100 * k, of), printed)]


# --- computed from parts ------------------------------------------------------------------------


@dataclass(frozen=True)
class Derived:
    says: str
    printed: Decimal
    computed: Fraction


def derived() -> Iterator[Derived]:
    yield from of_table_3()
    yield from of_averages()
    yield from of_differences()
    yield from of_shares()


def of_table_3() -> Iterator[Derived]:
    sizes = tasks_of_domains()
    for model in MODELS:
        weighted = total(exact(SCORE, model, key) * tasks for key, tasks in sizes.items())
        overall = figure(SCORE, model, "overall")
        yield Derived(f"{model}: score from domains", overall, weighted / sum(sizes.values()))
        wins = sum(
            counts(figure(SUCCESS, model, key), 3 * tasks)[0] for key, tasks in sizes.items()
        )
        share = Fraction(100 * wins, 3 * sum(sizes.values()))
        yield Derived(f"{model}: success from domains", figure(SUCCESS, model, "overall"), share)
    yield Derived(
        "mean score in Finance", figure(FACTS, "finance-mean"), mean_of_models(SCORE, "finance")
    )


def of_averages() -> Iterator[Derived]:
    for level in ("auxiliary", "important", "core"):
        average = figure(LEVELS, "average", level)
        yield Derived(f"Table 4: average, {level}", average, mean_of_models(LEVELS, level))
    for column in ("hermes", "claude_code", "nanobot", "spread"):
        of = [exact(HARNESSES, row.key, column) for row in HARNESSES.rows if row.key != "average"]
        average = figure(HARNESSES, "average", column)
        yield Derived(f"Table 6: average, {column}", average, total(of) / len(of))
    for key, table in {"score": SCORE, "success": SUCCESS}.items():
        single = figure(KINDS, "single", key)
        yield Derived(f"Table 7: {key}, all runs", single, mean_of_models(table, "overall"))


def of_differences() -> Iterator[Derived]:
    for row in HARNESSES.rows:
        of = [exact(HARNESSES, row.key, key) for key in ("hermes", "claude_code", "nanobot")]
        spread = figure(HARNESSES, row.key, "spread")
        yield Derived(f"Table 6: max - min, {row.key}", spread, max(of) - min(of))
    for key in ("score", "success"):
        gap = exact(KINDS, "specialised", key) - exact(KINDS, "oracle", key)
        yield Derived(f"specialised - oracle, {key}", figure(FACTS, f"oracle-gap-{key}"), gap)
    gain = exact(CONDITIONS, "full-disclosure", "strict") - exact(CONDITIONS, "default", "strict")
    yield Derived("gain by disclosure", figure(CONDUCT_FACTS, "disclosure-gain"), gain)
    simulators = paper_table("bizagentbench-figure-3")
    of = [exact(simulators, row.key, "strict") for row in simulators.rows]
    shift = figure(CONDUCT_FACTS, "simulator-shift")
    yield Derived("shift between simulators", shift, max(of) - min(of))


def of_shares() -> Iterator[Derived]:
    for domain in tasks_of_domains():
        share = 100 * exact(DOMAINS, domain, "count") / exact(DOMAINS, "total", "count")
        yield Derived(f"Table 2: share, {domain}", figure(DOMAINS, domain, "share"), share)
    shares = [exact(ITEMS, row.key, "share") for row in ITEMS.rows if row.key != "total"]
    yield Derived("Table 9: total", figure(ITEMS, "total", "share"), total(shares))
    calculation = exact(ITEMS, "calculation", "share")
    yield Derived("share of calculation", figure(FACTS, "share-calculation"), calculation)
    both = exact(ITEMS, "structure", "share") + exact(ITEMS, "domain", "share")
    yield Derived(
        "structure and domain together", figure(FACTS, "share-structure-and-domain"), both
    )
    each = exact(FACTS, "items") / exact(DOMAINS, "total", "count")
    yield Derived("items per task", figure(FACTS, "items-per-task"), each)
    weight = total(exact(WEIGHTS, row.key, "share") for row in WEIGHTS.rows)
    yield Derived("shares of weight", Decimal("100.00"), weight)


@pytest.mark.parametrize("one", list(derived()), ids=lambda one: one.says)
def test_it_follows_from_its_parts(one: Derived) -> None:
    assert rounds(one.computed, one.printed), f"{float(one.computed)} is printed as {one.printed}"


def test_figure_3_shows_the_overall_column_of_table_3() -> None:
    figure_3 = paper_table("startupbench-figure-3")
    for key, table, lost in (("score", SCORE, 0), ("success", SUCCESS, 1)):
        drawn = [row.cells["value"].value for row in figure_3.rows if row.key.startswith(key)]
        told = sorted((figure(table, model, "overall") for model in MODELS), reverse=True)
        assert drawn == sorted(drawn, reverse=True)
        assert len(drawn) == len(told) - lost
        assert set(drawn) == set(told)


def test_figures_told_twice_are_the_same() -> None:
    nanobot = [row.key for row in HARNESSES.rows if row.key in MODELS]
    assert [figure(HARNESSES, model, "nanobot") for model in nanobot] == [
        figure(SCORE, model, "overall") for model in nanobot
    ]
    caps = paper_table("bizagentbench-table-3")
    simulators = paper_table("bizagentbench-figure-3")
    assert (
        figure(CONDITIONS, "default", "strict")
        == figure(caps, "no-cap", "strict")
        == figure(CONDUCT, "deepseek-v4.1-flash", "strict")
    )
    played_by_default = figure(simulators, "deepseek-v4.1-flash", "strict")
    assert played_by_default == figure(CONDUCT, "qwen3.8-27b", "strict")
    reliability = paper_table("bizagentbench-figure-2")
    assert figure(reliability, "gpt-6-sol", "pass_1") == figure(CONDUCT, "gpt-6-sol", "strict")


# --- counts behind percentages ------------------------------------------------------------------


def test_every_success_rate_is_a_count_of_runs() -> None:
    sizes = {**tasks_of_domains(), "overall": 97}
    for model in MODELS:
        for key, tasks in sizes.items():
            assert len(counts(figure(SUCCESS, model, key), 3 * tasks)) == 1, f"{model}, {key}"


def test_other_percentages_are_counts_too() -> None:
    for row in FORMATS.rows:
        assert len(counts(row.cells["compliance"].value, 3 * 56)) == 1, row.key
    items = [counts(row.cells["share"].value, 2453) for row in ITEMS.rows if row.key != "total"]
    assert sum(found[0] for found in items) == 2453
    assert counts(figure(KINDS, "single", "success"), 9 * 97 * 3) == [517]
    assert counts(figure(KINDS, "oracle", "success"), 9 * 97) == [245]
    assert counts(figure(KINDS, "specialised", "success"), 97) == [38]
    experts = paper_table("startupbench-table-8")
    for key in ("three-years", "six-years", "ten-years"):
        assert len(counts(figure(experts, key), int(figure(experts, "experts")))) == 1
    for row in CONDUCT.rows:
        for key, cell in row.cells.items():
            runs = row.runs or CONDUCT.runs
            assert runs is not None
            assert len(counts(cell.value, 50 * int(runs.value))) == 1, f"{row.key}, {key}"


def test_format_compliance_is_over_three_runs_of_each_task() -> None:
    """One run of 56 tasks cannot give most of the figures."""
    one_run = [row.key for row in FORMATS.rows if counts(row.cells["compliance"].value, 56)]
    assert len(one_run) == 3


# --- what the prose says of the tables ----------------------------------------------------------


def lowest(table: PaperTable) -> dict[str, str]:
    """For each model its lowest column."""
    return {
        model: min((c.key for c in table.columns), key=lambda key: figure(table, model, key))
        for model in MODELS
    }


def highest_domain(model: str) -> str:
    return max(tasks_of_domains(), key=lambda domain: figure(SCORE, model, domain))


def best(table: PaperTable, column: str) -> str:
    return max(MODELS, key=lambda model: figure(table, model, column))


def order(table: PaperTable, column: str, models: tuple[str, ...] = MODELS) -> list[str]:
    return sorted(models, key=lambda model: figure(table, model, column), reverse=True)


def hardest(table: PaperTable) -> list[str]:
    """Domains by the mean over models, lowest first."""
    return sorted(tasks_of_domains(), key=lambda domain: mean_of_models(table, domain))


def falling(model: str) -> bool:
    rates = [figure(LEVELS, model, level) for level in ("auxiliary", "important", "core")]
    return rates == sorted(set(rates), reverse=True)


def advantage(dimension: str) -> Fraction:
    """How far the mean of the two strongest lies above the mean of the others."""
    rest = [model for model in MODELS if model not in TOP]

    def mean(models: tuple[str, ...] | list[str]) -> Fraction:
        return total(exact(DIMENSIONS, m, dimension) for m in models) / len(models)

    return mean(TOP) - mean(rest)


DIMENSION_KEYS = tuple(column.key for column in DIMENSIONS.columns)
THREE = tuple(row.key for row in HARNESSES.rows if row.key in MODELS)
RATES = ("hermes", "claude_code", "nanobot")

HOLDS: Mapping[str, Callable[[], bool]] = {
    "no model succeeds in a third of the runs": lambda: all(
        figure(SUCCESS, model, "overall") < 100 / Decimal(3) for model in MODELS
    ),
    "every model has a lower success rate than score": lambda: all(
        figure(SUCCESS, model, "overall") < figure(SCORE, model, "overall") for model in MODELS
    ),
    "every model scores above 60 in Business": lambda: all(
        figure(SCORE, model, "business") > 60 for model in MODELS
    ),
    "Business has the highest mean success": lambda: hardest(SUCCESS)[-1] == "business",
    "Finance has the lowest mean score": lambda: hardest(SCORE)[0] == "finance",
    "leaders by score": lambda: (
        [best(SCORE, domain) for domain in tasks_of_domains()]
        == ["kimi-k3", "kimi-k3", "gpt-5.6-sol", "kimi-k3", "gpt-5.6-sol", "kimi-k3"]
    ),
    "leaders by success": lambda: (
        [best(SUCCESS, domain) for domain in tasks_of_domains()]
        == ["kimi-k3", "gpt-5.6-sol", "gpt-5.5", "kimi-k3", "gpt-5.6-sol", "gpt-5.6-sol"]
    ),
    "Kimi models score higher and succeed less": lambda: all(
        figure(SCORE, kimi, "overall") > figure(SCORE, other, "overall")
        and figure(SUCCESS, kimi, "overall") < figure(SUCCESS, other, "overall")
        for kimi, other in (("kimi-k3", "gpt-5.6-sol"), ("kimi-k2.6", "qwen-3.6-max"))
    ),
    "Domain-Specific Compliance is lowest for every model": lambda: (
        set(lowest(DIMENSIONS).values()) == {"domain"}
    ),
    "8 of 9 models fall from auxiliary to core": lambda: (
        sum(map(falling, MODELS)) == figure(FACTS, "level-trend")
    ),
    "the order of models is the same under three harnesses": lambda: (
        len({tuple(order(HARNESSES, key, THREE)) for key in RATES}) == 1
    ),
    "the best of three runs is no worse than all": lambda: all(
        figure(KINDS, "oracle", key) > figure(KINDS, "single", key) for key in ("score", "success")
    ),
}

MISMATCHES: Mapping[str, Callable[[], bool]] = {
    "M1": lambda: bool(counts(figure(AGREEMENT, "success", "agreement"), 2 * 97)),
    "M2": lambda: sorted(hardest(SCORE)[:3]) == ["education", "finance", "stem"],
    "M3": lambda: sorted(hardest(SUCCESS)[:3]) == ["education", "finance", "stem"],
    "M4": lambda: all(highest_domain(model) == "business" for model in MODELS),
    "M5": lambda: all(
        figure(DIMENSIONS, model, "calculation") < figure(DIMENSIONS, model, "engineering")
        for model in MODELS
    ),
    "M6": lambda: (
        sorted(sorted(DIMENSION_KEYS, key=advantage)[-4:])
        == ["calculation", "integration", "presentation", "structure"]
    ),
    "M7": lambda: best(DIMENSIONS, "presentation") in TOP,
    "M8": lambda: bool(counts(figure(CONDITIONS, "default", "strict"), 50)),
    "M9": lambda: bool(counts(figure(CONDUCT, "gpt-6-sol", "strict"), 50)),
}
"""What the papers say and their own figures do not bear out, by its name in docs/published.md."""


@pytest.mark.parametrize("says", HOLDS)
def test_what_the_prose_says_holds(says: str) -> None:
    assert HOLDS[says]()


@pytest.mark.parametrize("name", MISMATCHES)
def test_a_listed_mismatch_is_one(name: str) -> None:
    assert not MISMATCHES[name]()


def test_the_page_lists_every_mismatch_and_no_other() -> None:
    listed = [
        line.split("|")[1].strip()
        for line in PAGE.read_text("utf-8").splitlines()
        if line.startswith("| M")
    ]
    assert listed == list(MISMATCHES)


def test_the_two_agreements_would_fit_if_they_were_swapped() -> None:
    """The reading that docs/published.md mentions beside M1: over three runs of two models."""
    items, success = (
        figure(AGREEMENT, "items", "agreement"),
        figure(AGREEMENT, "success", "agreement"),
    )
    submissions, judged = 2 * 97 * 3, 2 * 2453 * 3
    assert counts(items, submissions) == [540]
    assert counts(success, judged) == [13664]
    assert counts(items, 2 * 97) == [180]
    assert counts(success, submissions) == []
    assert counts(success, 2 * 2453) == []
