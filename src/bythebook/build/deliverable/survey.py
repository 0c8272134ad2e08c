"""What a product, its interviews and a scenario must hold before somebody can let them pass."""

from collections.abc import Iterator, Sequence

from bythebook.build.deliverable.answers import held
from bythebook.build.deliverable.place import Lack, Page, Place
from bythebook.build.deliverable.privacy import personal
from bythebook.build.deliverable.records import Fact, Interview, Product, Scenario
from bythebook.deliverables.task import DOMAINS
from bythebook.errors import suggestion

EVIDENCE = {
    "documents": "what a product document says of the work",
    "demos": "what a demo shows",
    "inputs": "a file or text that users give to it",
    "outputs": "what they get from it",
    "constraints": "a business rule that the work must keep to",
}


def product_lacks(place: Place, name: str) -> Iterator[Lack]:
    """Admission to the pool (StartupBench, Section 3.1.1 and Figure 2, stage 1)."""
    page = place.product(name).sound()
    value = page.value
    yield from page.filled(
        name="the product's name", company="the company's name", does="what it does, in a sentence"
    )
    yield from _domain(page, value.domain)
    yield from _funded(page, place.rules.funding_usd)
    active = value.active
    if active.what is None:
        yield page.lack("active.what", "is missing", "product or demo: which of them can be used?")
    yield from facts(page, "active", [active])
    yield from facts(page, "users", value.users, "who uses it, with the source")
    yield from _adopted(page, place.rules.many_users)
    for field, do in EVIDENCE.items():
        yield from facts(page, f"workflow.{field}", getattr(value.workflow, field), do)
    yield from personal(page)


def _domain(page: Page[Product], domain: str) -> Iterator[Lack]:
    if domain not in DOMAINS:
        what = f"{domain!r} is no domain" if domain else "is missing"
        yield page.lack("domain", what, suggestion(domain, DOMAINS))


def _funded(page: Page[Product], least: int) -> Iterator[Lack]:
    funding = page.value.funding
    if funding.usd is None:
        yield page.lack("funding.usd", "is missing", "write the sum in whole US dollars")
    elif funding.usd <= least:
        what = f"USD {funding.usd:,} is not above USD {least:,}"
        yield page.lack("funding.usd", what, "discard the product, or wait for its next round")
    yield from facts(page, "funding", [funding])


def _adopted(page: Page[Product], many: int) -> Iterator[Lack]:
    """Paid use, or many users."""
    yield from facts(page, "adoption", page.value.adoption, "that it is paid for, or by how many")
    shown = False
    for number, one in enumerate(page.value.adoption):
        field = f"adoption[{number}]"
        if one.kind is None:
            yield page.lack(f"{field}.kind", "is missing", "paid or users: what does it show?")
        elif one.kind == "users" and one.count is None:
            yield page.lack(f"{field}.count", "is missing", "write how many users there are")
        shown = shown or one.kind == "paid" or (one.count or 0) >= many
    if page.value.adoption and not shown:
        what = f"shows neither paid use nor {many:,} users"
        yield page.lack("adoption", what, "find better evidence, or discard the product")


def facts(page: Page[Product], field: str, told: Sequence[Fact], do: str = "") -> Iterator[Lack]:
    """Each says something, and where and when it was read."""
    if not told:
        yield page.lack(field, "nothing is recorded", f"write {do}")
    for number, fact in enumerate(told):
        at = f"{field}[{number}]" if do else field
        if not fact.says.strip():
            yield page.lack(f"{at}.says", "is missing", "write the fact in a sentence")
        if not fact.source.strip():
            yield page.lack(f"{at}.source", "is missing", "name the page or document it stands in")
        if fact.day is None:
            yield page.lack(f"{at}.day", "is missing", "write the day on which you read it there")


# --- interviews ---------------------------------------------------------------------------------


def interview_lacks(place: Place, name: str) -> Iterator[Lack]:
    """Of a product: somebody was asked, everything, and showed a case (Section 3.1.2)."""
    found = place.interviews_of(name)
    if not found:
        do = f"write one: bythebook build deliverable-task --to {place.root} new interview ID"
        yield Lack(str(place.root / "interviews"), "", f"no user of {name} was asked", do)
    for one in found.values():
        yield from _interviewed(place, one)
    if found and not any(page.value.demos for page in found.values()):
        page = next(iter(found.values()))
        do = "ask for one case that the user really gave to the product, with input and output"
        yield page.lack("demos", f"no interview about {name} has a demo case", do)


def _interviewed(place: Place, page: Page[Interview]) -> Iterator[Lack]:
    if page.broken:
        yield page.broken
        return
    value = page.value
    if not value.user.role.strip():
        yield page.lack("user.role", "is missing", "write the role, such as `group controller`")
    yield from page.filled(
        day="the day of the interview",
        answered_by="who answered: person or model",
        context="when and where the work comes up",
        goal="what the user wants to reach",
        input="what the user gives to the product, one a line",
        deliverable="what the user expects to get",
        success="how the user tells good from bad, one a line",
        constraints="what must be kept to, one a line",
    )
    if value.answered_by == "model" and "interview" not in place.rules.stand_ins:
        do = "ask a person; or name `interview` under stand_ins in rules.yaml, and say why"
        yield page.lack("answered_by", "a model is no user", do)
    for number, demo in enumerate(value.demos):
        for field in ("says", "input", "output"):
            if not getattr(demo, field):
                do = "a demo case has what was asked, what went in and what came out"
                yield page.lack(f"demos[{number}].{field}", "is missing", do)
    yield from personal(page)


# --- scenarios ----------------------------------------------------------------------------------

VALIDATION = {
    "clear_scenario": "is it clear who does this, when and what for?",
    "clear_deliverable": "is it clear what is handed over, in which form?",
    "reproducible_workflow": "would somebody else, with the same materials, do the same steps?",
    "complete_materials": "is everything there that the work needs?",
}
"""StartupBench, Figure 2, Scenario Validation."""


def scenario_lacks(place: Place, name: str) -> Iterator[Lack]:
    page = place.scenario(name).sound()
    value = page.value
    yield from page.filled(
        product="the product it comes from",
        title="a title",
        user="the role of who asks",
        says="the story: who needs what, when and why",
        steps="the steps of the work, one a line",
        deliverables="what is handed over: name, format, says",
        materials="what is needed: name, says, here",
    )
    yield from _from_interviews(place, page)
    for number, wanted in enumerate(value.deliverables):
        for field in ("name", "format", "says"):
            if not getattr(wanted, field).strip():
                do = "a deliverable has a file's name, a format and what must be in it"
                yield page.lack(f"deliverables[{number}].{field}", "is missing", do)
    for number, material in enumerate(value.materials):
        if not material.here:
            what = f"{material.name or 'this'} is not here"
            do = "get it or make it, then `here: true`; or return the scenario"
            yield page.lack(f"materials[{number}].here", what, do)
    yield from held(page, value.validation, VALIDATION, under="validation.")
    yield from personal(page)


def _from_interviews(place: Place, page: Page[Scenario]) -> Iterator[Lack]:
    value = page.value
    known = place.interviews_of(value.product)
    if not value.interviews:
        do = f"name the interviews it comes from: {suggestion('', known)}"
        yield page.lack("interviews", "is missing", do)
    for number, one in enumerate(value.interviews):
        if one not in known:
            what = f"there is no interview {one!r} about {value.product or 'its product'}"
            yield page.lack(f"interviews[{number}]", what, suggestion(one, known))
