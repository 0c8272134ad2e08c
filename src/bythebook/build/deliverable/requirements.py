"""The rubric verified: what is asked is watched, what is watched was asked, nothing is left out,
and the reference gets the full score (StartupBench, Figure 2, Rubric Verification)."""

import re
from collections.abc import Iterator

from bythebook.build.deliverable.construction import ground_truth_lacks, tried
from bythebook.build.deliverable.place import Lack, Page, Place, whole_hash
from bythebook.build.deliverable.records import Requirements
from bythebook.deliverables.task import DeliverableTask
from bythebook.errors import BythebookError, suggestion

PARAGRAPH = re.compile(r"\n\s*\n|\n(?=\s*(?:[*+-]|\d+[.)])\s)|\n(?=\s*\|)")
"""Between paragraphs, before each point of a list, and before each row of a table."""
WORD = re.compile(r"\w")
SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z*`\"'])")
MARKS = re.compile(r"[*_`#>]+")


def requirements_page(place: Place, name: str) -> Page[Requirements]:
    return place.beside(name, "requirements.yaml", Requirements)


def requirements_lacks(place: Place, name: str) -> Iterator[Lack]:
    page = requirements_page(place, name).sound()
    task = tried(place, name)
    yield from _watched(page, task)
    yield from _asked(page, task)
    yield from _complete(page, task)
    yield from ground_truth_lacks(place, name)
    yield from _proved(place, name, task)


def _watched(page: Page[Requirements], task: DeliverableTask) -> Iterator[Lack]:
    """From what is asked to the items."""
    if not page.value.requirements:
        yield page.lack("requirements", "nothing is mapped", "add {says, items} for each request")
    known = task.rubric.by_id
    for number, one in enumerate(page.value.requirements):
        at = f"requirements[{number}]"
        yield from _quoted(page, f"{at}.says", one.says, _source(task, one.at))
        for item in one.items:
            if item not in known:
                do = suggestion(item, known)
                yield page.lack(f"{at}.items", f"the rubric has no item {item!r}", do)
        if not one.items and not one.unwatched.strip():
            what = f"no item watches {one.says!r}"
            yield page.lack(f"{at}.items", what, "add an item, or say in `unwatched` why none does")


def _source(task: DeliverableTask, at: str) -> str | None:
    """The text that a requirement is quoted from; None: there is no such input. Of inputs that
    are no plain text nothing is compared."""
    if not at:
        return task.prompt
    path = task.inputs / at
    if not path.is_file() or not path.resolve().is_relative_to(task.inputs.resolve()):
        return None
    try:
        return path.read_text("utf-8") if path.suffix in (".md", ".txt", ".csv") else ""
    except UnicodeDecodeError:
        return ""


def _quoted(page: Page[Requirements], at: str, says: str, source: str | None) -> Iterator[Lack]:
    if source is None:
        yield page.lack(at, "its file is not among the inputs", "mend `at`, or leave it out")
    elif not says.strip():
        yield page.lack(at, "is missing", "quote what is asked, word for word")
    elif source and plain(says) not in plain(source):
        yield page.lack(at, f"{says!r} does not stand there", "quote it word for word")


def _asked(page: Page[Requirements], task: DeliverableTask) -> Iterator[Lack]:
    """From the items to what is asked."""
    mapped = {item for one in page.value.requirements for item in one.items}
    beyond = {one.item: one for one in page.value.beyond}
    for number, one in enumerate(page.value.beyond):
        if one.item not in task.rubric.by_id or not one.why.strip():
            do = "name an item, and why the profession expects it unasked"
            yield page.lack(f"beyond[{number}]", "names no item, or no reason", do)
    left = [item for item in task.rubric.by_id if item not in mapped and item not in beyond]
    if left:
        what = f"nobody asked for what {', '.join(left)} {'watch' if left[1:] else 'watches'}"
        do = "map it to what is asked; or put it under `beyond` with the reason; or discard it"
        yield page.lack("requirements", what, do)


def _complete(page: Page[Requirements], task: DeliverableTask) -> Iterator[Lack]:
    """Every sentence of the prompt is mapped, or named as background."""
    for number, text in enumerate(page.value.background):
        yield from _quoted(page, f"background[{number}]", text, task.prompt)
    quotes = [plain(one.says) for one in page.value.requirements if not one.at]
    quotes += [plain(text) for text in page.value.background]
    for sentence in sentences(task.prompt):
        words = plain(sentence)
        if not any(quote and (quote in words or words in quote) for quote in quotes):
            what = f"nothing is said of this part of the prompt: {_short(sentence)!r}"
            do = "map what it asks, or quote a few of its words under `background`"
            yield page.lack("requirements", what, do)
    told = " ".join(one.says for one in page.value.requirements)
    for wanted in task.wants:
        if wanted not in told:
            what = f"no requirement names the wanted file {wanted}"
            yield page.lack("requirements", what, "map the sentence that asks for it")


def sentences(prompt: str) -> list[str]:
    """The sentences of a prompt, points and rows of tables apart; headings ask for nothing."""
    parts = (part.strip() for part in PARAGRAPH.split(prompt))
    said = [part for part in parts if part and not (part.startswith("#") and "\n" not in part)]
    return [one for part in said for one in SENTENCE.split(part) if WORD.search(one)]


def _proved(place: Place, name: str, task: DeliverableTask) -> Iterator[Lack]:
    try:
        proof = place.proof(name)
    except BythebookError:
        return
    if proof is None or not proof.goldens:
        return
    path = str(place.root / "tasks" / name / "proof.json")
    again = f"bythebook build deliverable-task --to {place.root} prove {name}"
    if proof.whole != whole_hash(task):
        yield Lack(path, "", "the task's folder has changed since it was proved", again)
    if not proof.proved:
        reasons = (*proof.problems, *proof.survivors, *proof.not_run) or ("it says no more",)
        for says in reasons:
            yield Lack(path, "", f"not proved: {says}", f"mend the task, then {again}")


def plain(text: str) -> str:
    """Words alone, without the marks of Markdown."""
    return " ".join(MARKS.sub("", text).split()).casefold()


def _short(text: str, most: int = 70) -> str:
    words = " ".join(text.split())
    return words if len(words) <= most else f"{words[:most].rsplit(' ', 1)[0]} ..."
