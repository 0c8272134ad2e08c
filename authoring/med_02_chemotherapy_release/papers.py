"""Report and notice, each written twice: two people's words for the same facts."""

from collections.abc import Iterable, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

import yaml

from authoring.med_02_chemotherapy_release import doses as d
from authoring.med_02_chemotherapy_release.book import RULES
from authoring.med_02_chemotherapy_release.inputs import facts
from authoring.med_02_chemotherapy_release.rules import Dose
from authoring.med_02_chemotherapy_release.story import Story
from authoring.med_02_chemotherapy_release.world import TEXTS, Drug
from authoring.parts.numbers import money, roundup
from authoring.parts.word import Letter, write_documents

REPORT, NOTICE = "release-report.docx", "batch-notice.docx"
SOURCES = {
    "reference": {REPORT: "report.md", NOTICE: "notice.md"},
    "reference-2": {REPORT: "report-2.md", NOTICE: "notice-2.md"},
}
TONIGHT = d.DAYS[0]


def write_papers(told: Story, folder: Path, second: bool) -> None:
    around = Letter(author="Pharmacy", points=9, fitted=True)
    write_documents(SOURCES, TEXTS, said(told), folder, around, second=second)


def write_faults(told: Story, path: Path) -> None:
    """Places in the text are `<<name>>`, for formulas are full of signs that templates use."""
    text = (TEXTS / "faults.yaml").read_text("utf-8")
    places = {name: f"Rules!B{row}" for row, (_, name, _) in enumerate(RULES, 2)}
    for name, value in (said(told) | places).items():
        text = text.replace(f"<<{name}>>", value)
    path.write_text(text, "utf-8", newline="\n")


def reasons() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((TEXTS / "reasons.yaml").read_text("utf-8"))
    return found


def _rows(rows: Iterable[Sequence[str]]) -> str:
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def _left(told: Story) -> dict[str, str]:
    """What D17 has had and may still have."""
    one = told.found.sums["D17"]
    return {"before": f"{one.before}", "left": f"{one.limit - one.before}"}


def stopped(told: Story) -> list[tuple[str, str, str, str]]:
    """Patient, code, what decides, what has to happen."""
    figures = _left(told)
    rows = []
    for key, words in reasons()["stopped"].items():
        decides, happens = (str(word).format(**figures) for word in words)
        rows.append((key, told.found.readings[key].code, decides, happens))
    return rows


def mg(value: Decimal) -> str:
    return f"{value.normalize() + 0:f}"


def why_changed(told: Story, one: Dose) -> str:
    found = reasons()
    key = one.line.patient
    text = str(found["wrong"][key]).format(bmi=told.found.readings[key].mass_index)
    return text + str(found["more"].get(f"{one.line.drug} {key}", ""))


def _vials(drug: Drug, amount: Decimal) -> str:
    """`1 x 50 mg, 6 x 10 mg`."""
    left = roundup(amount / drug.sizes[0])
    words = []
    for size in drug.sizes[::-1]:
        worth = int(size / drug.sizes[0])
        if left // worth:
            words.append(f"{left // worth} x {mg(size)} mg")
        left %= worth
    return ", ".join(words)


def said(told: Story) -> dict[str, str]:
    """Everything that report, notice and rubric say, as text."""
    totals = told.totals
    figures = {k: money(v) if k == "Cost of vials" else f"{v}" for k, v in totals.items()}
    held = stopped(told)
    found = facts(told.world) | {
        "totals": _rows(figures.items()),
        "cost": figures["Cost of vials"],
        "n_release": figures["Treatments released"],
        "n_defer": figures["Treatments deferred"],
        "n_refer": figures["Treatments referred"],
        "n_changed": figures["Lines changed"],
        "stopped": _rows(held),
        "stopped_list": "\n".join(f"- **{k}, {c}:** {v}. To do: {h}." for k, c, v, h in held),
        "stopped_truth": "; ".join(
            f"{k} {c}: {str(reasons()['judged'][k]).format(**_left(told))}" for k, c, _, _ in held
        ),
        "codes": ", ".join(f"{k} {c}" for k, c, _, _ in held),
        "before_17": f"{told.found.sums['D17'].before}",
    }
    for key in ("D01", "D04", "D16", "D17"):
        one, n = told.found.sums[key], key[1:]
        found |= {f"b{n}": f"{one.before}", f"l{n}": f"{one.limit - one.before}"}
        found |= {f"a{n}": f"{one.after}"}
        drug = "epirubicin" if key == "D17" else "doxorubicin"
        found[f"x{n}"] = mg(told.dose(key, drug).dose)
    return found | _changes(told) | _tonight(told)


def _changes(told: Story) -> dict[str, str]:
    rows, items, truth = [], [], []
    before = ""
    for one in told.changed:
        was, now = mg(told.ordered[one.line.no]), mg(one.dose)
        why, name = why_changed(told, one), f"{one.line.patient} {one.line.drug}"
        rows.append((one.line.no, name, was, now, why))
        items.append(
            f"- {one.line.no} {name}: {was} mg ordered, {now} mg right. {why[0].upper()}{why[1:]}."
        )
        short = f"the same{why.removeprefix(before)}" if before and why.startswith(before) else why
        truth.append(f"{one.line.no} {name} {was} to {now} ({short})")
        before = str(reasons()["wrong"][one.line.patient])
    return {
        "changed": _rows(rows),
        "changed_list": "\n".join(items),
        "changed_truth": "; ".join(truth),
    }


def _tonight(told: Story) -> dict[str, str]:
    rows = []
    for batch in told.batches(TONIGHT):
        drug = told.world.drugs[batch.drug]
        rows.append((batch.drug, mg(batch.amount), f"{batch.vials} ({_vials(drug, batch.amount)})"))
    ours = [o for o in told.found.doses if o.batch == TONIGHT and o.dose]
    start = told.world.patients
    held: dict[str, list[tuple[str, str]]] = {}
    for one in told.found.doses:
        if not told.released(one.line.patient):
            held.setdefault(one.line.patient, []).append((one.line.drug, one.line.no))
    lines = {k: ", ".join(f"{drug} ({no})" for drug, no in v) for k, v in held.items()}
    return {
        "tonight": _rows(rows),
        "tonight_2": _rows((f"{v}", n, a) for n, a, v in rows),
        "tonight_amounts": ", ".join(f"{n} {a} mg" for n, a, _ in rows),
        "tonight_list": "\n".join(
            f"- {o.line.patient}: {o.line.drug} {mg(o.dose)} mg ({o.line.no}), start Tuesday "
            f"{start[o.line.patient].start:%H:%M}"
            for o in ours
        ),
        "tonight_truth": ", ".join(f"{o.line.patient} {o.line.drug} {mg(o.dose)} mg" for o in ours),
        "not_list": "\n".join(f"- **{k}:** {v}" for k, v in lines.items()),
        "not_rows": _rows(lines.items()),
        "not_truth": "; ".join(f"{k} {', '.join(drug for drug, _ in v)}" for k, v in held.items()),
    }
