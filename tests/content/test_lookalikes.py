"""What an agent in a hurry takes for the rule in force: there is enough of it for every rule."""

from collections import Counter
from itertools import chain

import pytest

from bythebook.conduct.company import load_company
from bythebook.conduct.golden.plan import load_goldens
from bythebook.conduct.task import ConductTask, load_tasks
from bythebook.task import Content

CONTENT = Content()
COMPANY = load_company(CONTENT)
TASKS = load_tasks(CONTENT, COMPANY)


def name(task: ConductTask) -> str:
    return task.id


def families(task: ConductTask) -> list[str]:
    """The families that matter to a task. A manual says how a tool is used; nobody mistakes one."""
    fronts = [COMPANY.library.documents[d].front for d in task.file.required_documents]
    return [front.family for front in fronts if front.kind != "manual"]


@pytest.mark.parametrize("task", TASKS, ids=name)
def test_every_family_that_matters_to_a_task_has_two_lookalikes(task: ConductTask) -> None:
    lookalikes = task.file.lookalikes
    short = [f for f in families(task) if len(set(lookalikes.get(f, ()))) < 2]

    assert short == []


@pytest.mark.parametrize("task", TASKS, ids=name)
def test_a_document_is_rarely_taken_for_two_rules(task: ConductTask) -> None:
    listed = Counter(chain(*task.file.lookalikes.values()))

    assert sum(n - 1 for n in listed.values()) <= 1


def test_lookalikes_are_of_every_sort() -> None:
    ids = {d for task in TASKS for d in chain(*task.file.lookalikes.values())}
    fronts = [COMPANY.library.documents[d].front for d in ids]
    standing = Counter(front.status for front in fronts)
    elsewhere = [f for f in fronts if f.scope.jurisdiction in ("EU", "GB", "UK")]
    talk = [f for f in fronts if f.kind in ("FAQ", "training note", "e-mail", "memo")]

    assert min(standing["superseded"], standing["in force"]) >= 40
    assert min(standing["draft"], len(elsewhere), len(talk)) >= 10


def come_across(task: ConductTask) -> set[str]:
    """What turns up by the golden's searches, and by the titles of the documents in force."""
    golden = load_goldens(task.folder, COMPANY)[""]
    queries = [str(s.args["query"]) for s in golden.steps if s.call == "search_documents"]
    documents = COMPANY.library.documents
    queries += [documents[d].front.title for d in task.file.required_documents]
    return {hit for query in queries for hit in COMPANY.document_index.find(query)}


@pytest.mark.parametrize("task", TASKS, ids=name)
def test_who_looks_for_a_rule_comes_across_something_that_looks_like_it(task: ConductTask) -> None:
    found = come_across(task)
    hidden = [f for f, ids in task.file.lookalikes.items() if not found & set(ids)]
    listed = set(chain(*task.file.lookalikes.values()))

    assert hidden == []
    assert len(listed & found) * 4 >= len(listed) * 3
