"""Facts about the shipped company: sizes, and that documents, tools, procedures hang together."""

import re
from collections import Counter
from itertools import chain, combinations
from pathlib import Path
from statistics import median
from types import CodeType, FunctionType
from typing import ClassVar

import pytest

from bythebook.conduct.company import Company, check_desks, load_company
from bythebook.conduct.counter import BASE
from bythebook.conduct.customer.tools import CUSTOMER
from bythebook.conduct.documents import Document
from bythebook.conduct.task import load_tasks
from bythebook.conduct.world import Row, World
from bythebook.errors import ContentError
from bythebook.task import Content, shipped
from bythebook.tool import Desk, Tool

CONTENT = Content()
COMPANY: Company = load_company(CONTENT)
TOOLS = sorted(COMPANY.tools.values(), key=lambda tool: tool.name)
DOCUMENTS = sorted(COMPANY.library.documents.values(), key=lambda document: document.id)
SOURCE = {d.id: Path(d.path).read_text(encoding="utf-8") for d in DOCUMENTS}
WRITING = [tool for tool in TOOLS if tool.writes]
TESTS = Path(__file__).parents[1] / "alder"


def name(value: Tool | Document) -> str:
    return value.name if isinstance(value, Tool) else value.id


def test_there_are_at_least_240_tools_on_ten_desks_half_of_them_writing() -> None:
    assert len(TOOLS) >= 240
    assert len({tool.desk for tool in TOOLS}) >= 10
    assert len(WRITING) * 2 >= len(TOOLS)


def test_the_agent_holds_ten_tools_and_the_customer_ten() -> None:
    assert (len(BASE), len(CUSTOMER)) == (10, 10)


def test_there_are_at_least_300_documents_of_uneven_length() -> None:
    lengths = sorted(len(d.body.split()) for d in DOCUMENTS)

    assert len(DOCUMENTS) >= 300
    assert 150 <= median(lengths) <= 260
    assert lengths[len(lengths) // 10] * 1.6 < lengths[-len(lengths) // 10]
    assert lengths[0] * 4 < lengths[-1]


def test_there_are_documents_of_every_standing() -> None:
    standing = Counter(d.front.status for d in DOCUMENTS)

    assert min(standing["in force"], standing["superseded"], standing["draft"]) >= 3


@pytest.mark.parametrize("tool", TOOLS, ids=name)
def test_a_tool_takes_time_only_if_it_writes(tool: Tool) -> None:
    assert tool.writes or tool.minutes == 0


@pytest.mark.parametrize("tool", TOOLS, ids=name)
def test_a_tools_first_paragraph_is_one_line_an_agent_can_search(tool: Tool) -> None:
    assert 15 <= len(tool.summary) <= 160
    assert tool.summary.endswith(".")


@pytest.mark.parametrize("tool", WRITING, ids=name)
def test_a_writing_tool_can_refuse(tool: Tool) -> None:
    code = tool.run.__code__
    reached = set(code.co_names) | {n for c in _callees(tool) for n in c.co_names}
    asks_a_table = any(kind.__name__ in reached for kind in COMPANY.kinds.values())

    assert "Refused" in reached or asks_a_table


def _callees(tool: Tool) -> list[CodeType]:
    space = tool.run.__globals__
    called = (space.get(n) for n in tool.run.__code__.co_names)
    return [c.__code__ for c in called if isinstance(c, FunctionType)]


@pytest.mark.parametrize("tool", WRITING, ids=name)
def test_a_writing_tool_is_named_in_a_document(tool: Tool) -> None:
    assert any(f"`{tool.name}`" in text for text in SOURCE.values())


@pytest.mark.parametrize("tool", WRITING, ids=name)
def test_a_writing_tool_has_a_test_of_its_own(tool: Tool) -> None:
    text = "\n".join(path.read_text() for path in sorted(TESTS.glob("test_*.py")))

    assert re.search(rf"\b{tool.name}\b", text)


def test_no_two_tools_say_the_same_of_themselves() -> None:
    twice = [doc for doc, n in Counter(tool.summary for tool in TOOLS).items() if n > 1]

    assert twice == []


def _shingles(text: str) -> set[tuple[str, ...]]:
    words = re.findall(r"[a-z0-9]+", text.lower())
    return {tuple(words[i : i + 8]) for i in range(len(words) - 7)}


def test_documents_of_different_families_are_not_alike() -> None:
    marks = {d.id: (_shingles(d.body), d.front.family) for d in DOCUMENTS}
    alike = [
        (a, b)
        for a, b in combinations(marks, 2)
        if marks[a][1] != marks[b][1]
        and len(marks[a][0] & marks[b][0]) > 0.3 * max(1, min(len(marks[a][0]), len(marks[b][0])))
    ]

    assert alike == []


def test_no_document_is_a_version_of_itself_with_a_date_changed() -> None:
    marks = {d.id: (_shingles(d.body), d.front.family) for d in DOCUMENTS}
    alike = [
        (a, b)
        for a, b in combinations(marks, 2)
        if marks[a][1] == marks[b][1]
        and len(marks[a][0] & marks[b][0]) > 0.7 * max(1, min(len(marks[a][0]), len(marks[b][0])))
    ]

    assert alike == []


def test_every_family_is_used() -> None:
    tasks = load_tasks(CONTENT, COMPANY)
    steps = [step for sop in COMPANY.sops.values() for step in sop.steps]
    cited = {reference.partition("#")[0] for step in steps for reference in step.knowledge}
    cited |= {rule.source.partition("#")[0] for task in tasks for rule in task.criteria.rules}
    cited |= {
        COMPANY.library.documents[d].front.family
        for task in tasks
        for d in (*task.file.required_documents, *chain(*task.file.lookalikes.values()))
    }
    named = "\n".join([*SOURCE.values(), *(tool.doc for tool in TOOLS)])
    written = [f"`{tool.name}`" for tool in WRITING]
    manuals = {d.front.family for d in DOCUMENTS if any(w in SOURCE[d.id] for w in written)}
    unused = [
        family
        for family in COMPANY.library.families
        if family not in cited | manuals and f"doc:{family}" not in named
    ]

    assert unused == []


@pytest.mark.parametrize("document", DOCUMENTS, ids=name)
def test_a_documents_tools_exist(document: Document) -> None:
    words = re.findall(r"`([a-z]+(?:_[a-z]+)+)`", SOURCE[document.id])
    columns = {column for kind in COMPANY.kinds.values() for column in kind.__struct_fields__}
    values = set(COMPANY.kinds) | columns | set(COMPANY.tools) | set(BASE)
    literals = set(re.findall(r'"([a-z]+(?:_[a-z]+)+)"', _code()))

    assert [word for word in words if word not in values | literals] == []


def _code() -> str:
    folder = Path(__file__).parents[2] / "src" / "bythebook" / "alder"
    return "\n".join(path.read_text() for path in folder.rglob("*.py"))


def test_the_shipped_company_stands_where_the_content_is() -> None:
    assert (shipped() / "company" / "company.yaml").is_file()


def test_a_procedure_quotes_only_documents_that_are_there() -> None:
    steps = [step for sop in COMPANY.sops.values() for step in sop.steps]
    quoted = {re.split("[#@]", span)[0] for step in steps for span in step.source}

    assert quoted - set(COMPANY.library.documents) == set()


def _lent(name: str) -> Desk:
    """A desk that takes a name which the shipped company has already."""

    class Lent(Row, frozen=True):
        table: ClassVar[str] = "cases" if name == "table" else "lents"
        prefix: ClassVar[str] = "CASE" if name == "id prefix" else "LNT"

    desk = Desk("lent", "Takes what is taken.", rows=(Lent,))

    def escalate_case(world: World) -> str:
        """Hand over a case."""
        return "no"

    def review_started(world: World) -> None:
        """Nothing."""

    if name == "tool":
        desk.tool()(escalate_case)
    if name == "scheduled event":
        desk.event(review_started)
    return desk


@pytest.mark.parametrize("name", ["tool", "table", "id prefix", "scheduled event"])
def test_a_name_of_the_company_is_taken_once(name: str) -> None:
    with pytest.raises(ContentError, match=f"desk lent: {name} .* is taken by desk"):
        check_desks((*COMPANY.desks, _lent(name)))
