"""docs/criteria.md: every example of the page loads, and what it says is refused is refused."""

import re
from functools import cache
from pathlib import Path

import pytest

from bythebook.conduct.company import load_company
from bythebook.conduct.criteria import Criteria, Vocabulary, editions_of, read
from bythebook.conduct.criteria import shapes as of
from bythebook.conduct.criteria.check import Scope
from bythebook.conduct.criteria.patterns import (
    After,
    Always,
    Authorised,
    Before,
    Count,
    Finally,
    Frame,
    Never,
    Whenever,
)  # fmt: skip
from bythebook.conduct.criteria.predicate import Compiler
from bythebook.errors import ContentError
from bythebook.task import Content

PAGE = Path(__file__).parents[3] / "docs" / "criteria.md"
BLOCK = re.compile(r"^```(?P<kind>[^\n]+)\n(?P<text>.*?)^```$", re.DOTALL | re.MULTILINE)


def blocks(kind: str) -> list[str]:
    return [one["text"] for one in BLOCK.finditer(PAGE.read_text("utf-8")) if one["kind"] == kind]


def lines(kind: str) -> list[str]:
    return [line for text in blocks(kind) for line in text.splitlines()]


@cache
def words() -> Vocabulary:
    company = load_company(Content())
    return Vocabulary(company.schema, company.functions, editions_of(company.library))


@cache
def page() -> Criteria:
    company = load_company(Content())

    def cites(family: str, clause: str) -> None:
        company.library.cites(f"{family}#{clause}", where=PAGE)

    facts, *rules = blocks("yaml")
    return read(f"{facts}criteria:\n{''.join(rules)}", words(), where=PAGE, cites=cites)


def compiler() -> Compiler:
    facts = dict(page().data["facts"])
    return Compiler.of(Scope(words(), of.of_constant(facts), "page"), facts)


def test_the_examples_of_the_page_are_one_file_that_loads_and_shows_every_pattern() -> None:
    kinds = {type(rule.pattern) for rule in page().rules}
    assert kinds == {
        After, Always, Authorised, Before, Count, Finally, Frame, Never, Whenever,
    }  # fmt: skip


@pytest.mark.parametrize("line", lines("predicates"))
def test_each_predicate_of_the_page_loads(line: str) -> None:
    assert compiler().value(line).source == line


@pytest.mark.parametrize("line", lines("refused"))
def test_each_predicate_that_the_page_calls_refused_is_refused(line: str) -> None:
    with pytest.raises(ContentError):
        compiler().value(line)
