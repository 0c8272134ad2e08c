"""The graph of a procedure: reached, ended, and every way back lands."""

from collections.abc import Callable, Iterable, Iterator

from bythebook.conduct.sops import Sop, Step
from bythebook.errors import suggestion

END = "end"


def flow_problems(sop: Sop) -> Iterator[str]:
    """Everything that is wrong with the ways of a procedure, and what to do."""
    if not sop.steps:
        yield "a procedure has at least one step"
        return
    names = [step.id for step in sop.steps]
    for name in sorted({name for name in names if names.count(name) > 1}):
        yield f"step {name!r} stands here twice: give one of them another id"
    links = list(_links(sop, names))
    yield from links
    if links:
        return
    yield from (
        f"step {name!r} cannot be reached from {names[0]!r}: name it in the `next` of the step "
        "before it, or take it out"
        for name in _missing(names, reached(sop))
    )
    yield from (
        f"step {name!r} is a dead end: no way leads on from it to `end`; write into its `next`, or "
        "that of a step after it, how the work ends"
        for name in _missing(names, ending(sop))
    )


def _links(sop: Sop, names: list[str]) -> Iterator[str]:
    for place, step in enumerate(sop.steps):
        if not step.onward:
            yield f"step {step.id!r} is a dead end: its `next` is empty; write a step or `end`"
        for link in step.onward:
            if link not in (*names, END):
                yield f"step {step.id!r}: no next step {link!r}; {suggestion(link, (*names, END))}"
        for link in step.back:
            if link not in names:
                yield (
                    f"step {step.id!r}: returns to {link!r}, which is no step; "
                    f"{suggestion(link, names)}"
                )
            elif names.index(link) > place:
                yield (
                    f"step {step.id!r}: returns to {link!r}, which comes later: write it as "
                    "`next`, or put the steps into their order"
                )


def _missing(names: list[str], found: set[str]) -> list[str]:
    return [name for name in dict.fromkeys(names) if name not in found]


def reached(sop: Sop) -> set[str]:
    """Steps to which a way leads from the first; ways back lead nowhere new."""
    steps = {step.id: step for step in sop.steps}
    return _spread([sop.steps[0].id], lambda name: steps[name].onward if name in steps else ())


def ending(sop: Sop) -> set[str]:
    """Steps from which a way leads to `end`."""
    before: dict[str, list[str]] = {}
    for step in sop.steps:
        for link in step.onward:
            before.setdefault(link, []).append(step.id)
    return _spread([END], lambda name: before.get(name, ()))


def _spread(begin: list[str], further: Callable[[str], Iterable[str]]) -> set[str]:
    seen: set[str] = set()
    todo = list(begin)
    while todo:
        name = todo.pop()
        if name not in seen:
            seen.add(name)
            todo += further(name)
    return seen


def without_step(sop: Sop, gone: str) -> tuple[Step, ...]:
    """The steps without one of them: what led to it leads to what followed it."""
    onward = next(step.onward for step in sop.steps if step.id == gone)
    found: list[Step] = []
    for step in sop.steps:
        if step.id == gone:
            continue
        ways = [to for link in step.onward for to in (onward if link == gone else (link,))]
        kept = tuple(dict.fromkeys(to for to in ways if to not in (gone, step.id))) or (END,)
        back = tuple(link for link in step.back if link != gone)
        found.append(relinked(step, kept, back))
    return tuple(found)


def relinked(step: Step, onward: tuple[str, ...], back: tuple[str, ...]) -> Step:
    """A step with other ways; one way is written without a list."""
    return Step(
        id=step.id,
        do=step.do,
        next=onward[0] if len(onward) == 1 else onward,
        decide=step.decide,
        returns_to=back[0] if len(back) == 1 else back,
        knowledge=step.knowledge,
        source=step.source,
    )
