"""Tools that are out of use: found and described as such, refused, and pointing onward."""

import re

import msgspec
import pytest

from bythebook.agents.protocol import Call
from bythebook.conduct.company import check_desks, load_company
from bythebook.conduct.counter import describe_tool
from bythebook.conduct.scene import Scene
from bythebook.conduct.source import CompanySource
from bythebook.conduct.task import load_task
from bythebook.errors import ContentError
from bythebook.report.counts import conduct_counts
from bythebook.serve.hand import business_tools
from bythebook.task import Content
from bythebook.tool import Desk

CONTENT = Content()
COMPANY = load_company(CONTENT)
TASK = load_task(CONTENT, COMPANY, "q03")
RETIRED = {
    "freeze_card": "block_card",
    "fix_rate": "request_fx_quote",
    "ask_the_bank": "query_statement_line",
    "rename_worker": "correct_roster_name",
    "mandate_card": "mandate_standing",
    "cash_up_shop": "close_terminal_batch",
}


def naming(tool: str) -> dict[str, str]:
    """Documents that name it, with their standing."""
    library = COMPANY.library.documents.values()
    return {d.id: d.front.status for d in library if f"`{tool}`" in d.body}


def test_six_stand_on_six_desks_and_are_counted_apart() -> None:
    found = {tool.name: tool for tool in COMPANY.tools.values() if tool.retired}

    assert {name: tool.retired for name, tool in found.items()} == RETIRED
    assert len({tool.desk for tool in found.values()}) == len(found)
    counts = conduct_counts(COMPANY, tasks=1)
    assert (counts.retired_tools, counts.tools) == (6, len(COMPANY.tools) - 6)


@pytest.mark.parametrize("name", RETIRED)
def test_whatever_it_is_sent_it_refuses_names_its_successor_and_changes_nothing(name: str) -> None:
    scene = Scene(TASK)
    before = (scene.world.hash, scene.world.t)

    for sent in ({}, {"nonsense": 1}, dict.fromkeys(COMPANY.tools[name].schema["properties"], "X")):
        answer = scene.take(Call("call_tool", {"name": name, "arguments": sent}, "a"))
        assert not answer.ok
        assert answer.text == f"{name} is retired; its successor is {RETIRED[name]}"

    assert (scene.world.hash, scene.world.t) == before


@pytest.mark.parametrize("name", RETIRED)
def test_it_is_found_and_described_as_retired(name: str) -> None:
    scene = Scene(TASK)
    hits = {hit.name: hit for hit in CompanySource(COMPANY).find_tools(name.replace("_", " "))}

    assert hits[name].retired == RETIRED[name]
    assert describe_tool(scene, name).retired == RETIRED[name]
    (offered,) = (tool for tool in business_tools(TASK) if tool.name == name)
    assert offered.doc.startswith(f"Retired, use {RETIRED[name]}. ")


def test_tools_in_use_are_found_and_described_as_before() -> None:
    scene = Scene(TASK)
    hit = next(hit for hit in CompanySource(COMPANY).find_tools("block card") if not hit.retired)

    assert set(msgspec.to_builtins(hit)) == {"name", "desk", "summary"}
    assert "retired" not in msgspec.to_builtins(describe_tool(scene, hit.name))


@pytest.mark.parametrize("name", RETIRED)
def test_a_document_says_when_it_went_and_what_came(name: str) -> None:
    told = [d for d, status in naming(name).items() if status == "in force"]
    bodies = [COMPANY.library.documents[d].body for d in told]

    assert [RETIRED[name] in body for body in bodies] == [True]
    (year,) = re.findall(r"Out of use since \w+ (\d{4})", COMPANY.tools[name].doc)
    assert COMPANY.library.documents[told[0]].front.effective[0].startswith(year)


def test_two_old_manuals_still_name_theirs() -> None:
    old = [d for name in RETIRED for d, status in naming(name).items() if status == "superseded"]

    assert sorted(old) == ["fx-desk-manual-2022", "manual-cards-desk-2021"]


def test_a_successor_that_is_not_in_use_is_a_load_error() -> None:
    desk = Desk("lent", "Points nowhere.")

    def old_key(world: object) -> str:
        """Do what was done before."""
        return "no"

    desk.tool(retired="blok_card")(old_key)
    with pytest.raises(ContentError, match="did you mean 'block_card'"):
        check_desks((*COMPANY.desks, desk))
