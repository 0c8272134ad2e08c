"""Facts about the shipped procedures that were built from documents: their links land."""

import re
from pathlib import Path

from bythebook.build.sop.shelf import Shelf
from bythebook.build.sop.sources import Reader, files_of
from bythebook.conduct.company import load_company
from bythebook.task import Content

HASHED = re.compile(r"-[0-9a-f]{5}$")
"""Spans as `build sop` names them; who writes a procedure by hand links clauses by number."""
FOLDER = Path(__file__).parents[2] / "company" / "documents"
BUILT = {
    sop.id: [link for step in sop.steps for link in step.source]
    for sop in load_company(Content()).sops.values()
    if any(HASHED.search(link) for step in sop.steps for link in step.source)
}


def test_at_least_six_procedures_were_built_from_the_documents() -> None:
    assert len(BUILT) >= 6


def test_every_link_of_a_procedure_lands_on_words_that_still_stand() -> None:
    """A span's name holds a hash of its words: who rewords a clause looks at the step again."""
    cited = sorted({link.partition("#")[0] for links in BUILT.values() for link in links})
    reader = Reader(FOLDER, files_of(FOLDER, tuple(f"{name}.md" for name in cited), ()))
    shelf = Shelf(reader.read(reader.jobs()))

    broken = [f"{sop}: {shelf.lost(link)}" for sop, links in BUILT.items() for link in links
              if shelf.lost(link)]  # fmt: skip
    assert broken == []


def test_every_step_of_a_built_procedure_says_where_it_stands() -> None:
    steps = [
        (sop.id, step)
        for sop in load_company(Content()).sops.values()
        if sop.id in BUILT
        for step in sop.steps
    ]

    assert [(name, step.id) for name, step in steps if not step.source] == []
