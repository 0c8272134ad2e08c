"""The rubric: what each item says and what it checks come from one value."""

from collections.abc import Iterable
from decimal import Decimal
from pathlib import Path
from typing import Any

from authoring.med_02_chemotherapy_release.book import NAME, SHEETS
from authoring.med_02_chemotherapy_release.expected import GROUPS, group
from authoring.med_02_chemotherapy_release.papers import NOTICE, REPORT, TONIGHT, mg, said
from authoring.med_02_chemotherapy_release.story import Story
from authoring.med_02_chemotherapy_release.supposed import supposed
from authoring.med_02_chemotherapy_release.world import TEXTS
from authoring.parts.items import WordedItems
from bythebook.deliverables.rubric import Failure, Level, ReadAs

D = Decimal
DOMAIN: Failure = "domain expertise"
VERIFY: Failure = "self-verification"
FORMAT: Failure = "output format"
FIELDS: tuple[tuple[str, ReadAs, tuple[str, ...]], ...] = (
    ("patient", "text", ("Patient",)),
    ("age", "number", ("Age",)),
    ("weight", "number", ("Weight (kg, section 2)", "Weight")),
    ("dosing", "number", ("Dosing weight",)),
    ("surface", "number", ("BSA (m2)", "BSA")),
    ("creatinine", "number", ("Creatinine (µmol/L, as it goes into the formula)", "Creatinine")),
    ("clearance", "number", ("Clearance (mL/min)", "Clearance")),
    ("neutrophils", "number", ("Neutrophils (10^9/L)", "Neutrophils")),
    ("platelets", "number", ("Platelets (10^9/L)", "Platelets")),
    ("bilirubin", "number", ("Bilirubin (µmol/L)", "Bilirubin")),
    ("neutrophils_word", "text", ("Neutrophils (10^9/L)", "Neutrophils")),
    ("platelets_word", "text", ("Platelets (10^9/L)", "Platelets")),
    ("bilirubin_word", "text", ("Bilirubin (µmol/L)", "Bilirubin")),
    ("interval", "number", ("Interval (days)", "Interval")),
    ("decision", "text", ("Decision (release, defer or refer)", "Decision")),
    ("code", "text", ("Code (C0 to C6)", "Code")),
    ("line", "text", ("Line",)),
    ("factor", "percent", ("Factor (as a percentage)", "Factor")),
    ("why", "text", ("Limited by (section 5)", "Limited by")),
    ("dose", "number", ("Dose (mg, 0 if not released)", "Dose")),
    ("difference", "number", ("Difference (mg: dose less ordered)", "Difference")),
    ("before", "number", ("Before",)),
    ("limit", "number", ("Limit",)),
    ("after", "number", ("After (mg/m2 as doxorubicin; after what is released)", "After")),
    ("batch_day", "date", ("Batch day",)),
    ("drug", "text", ("Drug",)),
    ("amount", "number", ("Amount",)),
    ("vials", "number", ("Vials",)),
    ("surplus", "number", ("Surplus",)),
    ("cost", "number", ("Cost",)),
    ("released_label", "number", ("Treatments released",)),
    ("deferred_label", "number", ("Treatments deferred",)),
    ("referred_label", "number", ("Treatments referred",)),
    ("changed_label", "number", ("Lines changed",)),
    ("cost_label", "number", ("Cost of vials",)),
)
LABELS = tuple(name for name, _, _ in FIELDS if name.endswith("_label"))
TOLERANCE = {"surface": "0.0005", "clearance": "0.005", "cost": "0.005", "factor": "0.00005"}
LEVELS: dict[str, Level] = {
    "anthracyclines": "core",
    "cytotoxics": "core",
    "carboplatin": "core",
    "antibodies": "important",
}
Cells = list[dict[str, Any]]


class Items(WordedItems):
    def __init__(self, told: Story) -> None:
        super().__init__(TEXTS / "items.yaml", said(told) | _more(told) | supposed(told).facts)


def write_rubric(told: Story, path: Path) -> None:
    items = Items(told)
    for name, read_as, names in FIELDS:
        items.sheet.field(name, *names, read_as=read_as)
    _frame(items)
    _patients(told, items)
    _lines(told, items)
    _batches(told, items)
    _documents(told, items)
    for key, one in supposed(told).what_ifs.items():
        items.add(key, "engineering", "important", VERIFY, check={"whatif": one})
    items.add("stopped", "domain", "important", DOMAIN)
    sums = [{"is": told.found.sums[key].before, "digits": 4} for key in ("D04", "D16", "D17")]
    screen = {"figures": {"file": REPORT, "all": sums}}
    items.add("changed", "domain", "important", DOMAIN, screen=screen)
    items.add("conflicts", "domain", "important", DOMAIN)
    items.sheet.write(path)


def _frame(items: Items) -> None:
    check: dict[str, Any] = {"files": {"want": {NAME: "xlsx", REPORT: "docx", NOTICE: "docx"}}}
    items.add("files", "structure", "core", FORMAT, check=check)
    items.add("sheets", "structure", "important", check={"sheets": {"order": SHEETS}})
    rows = {"sheet": "Cumulative", "key": ["patient"], "are": "expected/cumulative.csv"}
    items.add("cumulative_rows", "structure", "important", DOMAIN, check={"rows": rows})
    heads: tuple[str, ...] = (
        "Result",
        "Not released",
        "Changed doses",
        "Cumulative limits",
        "Sources",
    )
    check = {"outline": {"file": REPORT, "has": heads, "in_order": True}}
    items.add("report_outline", "structure", "important", check=check)
    heads = ("Prepare tonight", "Do not prepare")
    check = {"outline": {"file": NOTICE, "has": heads, "in_order": True}}
    items.add("notice_outline", "structure", "important", check=check)
    limits = [{"file": REPORT, "at_most": 3}, {"file": NOTICE, "at_most": 1}]
    items.add("pages", "structure", "auxiliary", check={"pages": {"all": limits}})
    check = {"view": {"sheets": ["Lines"], "has": ["freeze"]}}
    items.add("frozen", "presentation", "auxiliary", FORMAT, check=check)


def _cells(
    sheet: str, rows: Iterable[tuple[dict[str, Any], dict[str, Any]]], live: tuple[str, ...] = ()
) -> dict[str, Any]:
    """`rows`: what finds a row, and its columns; a value that is None is not asked for, and a list
    holds several that are right."""
    cells: Cells = []
    for find, values in rows:
        for column, value in values.items():
            if value is None:
                continue
            wanted = "any_of" if isinstance(value, list) else "equals"
            cell: dict[str, Any] = {"find": find, "column": column, wanted: value}
            if not isinstance(value, str):
                cell["tol"] = D(TOLERANCE.get(column, "0.0005"))
            cells.append(cell | ({"formula": True} if column in live else {}))
    return {"cell": {"sheet": sheet, "formula": False, "all": cells}}


def _patients(told: Story, items: Items) -> None:
    ones = told.found.readings.items()

    def check(names: dict[str, str], live: tuple[str, ...]) -> dict[str, Any]:
        return _cells(
            "Patients",
            (
                ({"patient": key}, {c: getattr(one, a) for c, a in names.items()})
                for key, one in ones
            ),
            live,
        )

    sizes = {"weight": "weight", "dosing": "dosing", "surface": "surface"}
    items.add("sizes", "calculation", "core", DOMAIN, check=check(sizes, ("surface",)))
    kidney = {"creatinine": "creatinine", "clearance": "clearance"}
    items.add("clearance", "calculation", "core", DOMAIN, check=check(kidney, ("clearance",)))
    blood = {"neutrophils": "neutrophils", "platelets": "platelets", "bilirubin": "bilirubin"}
    counted = check(blood, ())
    counted["cell"]["all"] += [
        {"find": {"patient": key}, "column": f"{column}_word", "equals": "missing"}
        for key, one in ones
        for column in blood
        if getattr(one, column) is None
    ]
    items.add("counts", "integration", "important", check=counted)
    times = {"age": "age", "interval": "interval"}
    items.add("times", "calculation", "important", check=check(times, ("interval",)))
    decided = {"decision": "decision", "code": "code"}
    items.add("decisions", "domain", "core", DOMAIN, check=check(decided, ("code",)))


def _column(sheet: str, key: tuple[str, ...], column: str, table: str) -> dict[str, Any]:
    told = {"sheet": sheet, "key": list(key), "column": column, "tol": D("0.0005")}
    return {"column": told | {"table": f"expected/{table}.csv#{column}", "formula": True}}


def _lines(told: Story, items: Items) -> None:
    rows = (
        ({"line": one.line.no}, {"factor": [one.factor / 100, one.factor], "why": one.why})
        for one in told.found.doses
        if told.released(one.line.patient)
    )
    check = _cells("Lines", rows, ("factor",))
    items.add("factors", "domain", "core", DOMAIN, check=check)
    for name in GROUPS:
        check = _column("Lines", ("line",), "dose", name)
        items.add(name, "calculation", LEVELS[name], VERIFY, check=check)
    check = _column("Lines", ("line",), "difference", "differences")
    items.add("differences", "integration", "important", VERIFY, check=check)
    sums = (
        ({"patient": key}, {"before": one.before, "limit": one.limit, "after": one.after})
        for key, one in told.found.sums.items()
    )
    check = _cells("Cumulative", sums, ("before", "after"))
    items.add("sums", "calculation", "core", DOMAIN, check=check)


def _batches(told: Story, items: Items) -> None:
    check = _column("Vials", ("batch_day", "drug"), "amount", "vials")
    items.add("amounts", "calculation", "core", VERIFY, check=check)
    rows = (
        (
            {"batch_day": one.day, "drug": one.drug},
            {"vials": one.vials, "surplus": one.surplus, "cost": one.cost},
        )
        for one in told.found.batches
    )
    check = _cells("Vials", rows, ("vials", "cost"))
    items.add("vials", "calculation", "important", check=check)
    wants = [
        {"label": label, "equals": value, "tol": D("0.005")}
        for label, value in zip(LABELS, told.totals.values(), strict=True)
    ]
    check = {"label": {"sheet": "Summary", "formula": True, "all": wants}}
    items.add("summary", "integration", "core", VERIFY, check=check)


def _documents(told: Story, items: Items) -> None:
    rows = [{"is": value, "digits": 6, "near": name} for name, value in told.totals.items()]
    check: dict[str, Any] = {"figures": {"file": REPORT, "only": "tables", "all": rows}}
    items.add("report_table", "integration", "core", VERIFY, check=check)
    rows = []
    for one in told.batches(TONIGHT):
        rows.append({"is": one.amount, "digits": 4, "near": one.drug})
        rows.append({"is": D(one.vials), "digits": 2, "near": one.drug})
    check = {"figures": {"file": NOTICE, "only": "tables", "all": rows}}
    items.add("notice_table", "integration", "core", VERIFY, check=check)


def _more(told: Story) -> dict[str, str]:
    """Facts that only the rubric says."""

    def listed(name: str) -> str:
        ones = (one for one in group(told, name) if one.dose)
        return ", ".join(f"{one.line.patient} {mg(one.dose)} mg" for one in ones)

    return {
        "book": NAME,
        "report": REPORT,
        "notice": NOTICE,
        "sheets": ", ".join(SHEETS),
        "anthracycline_patients": ", ".join(told.found.sums),
        "carbo_list": listed("carboplatin") + ", nothing for D11",
        "antibody_list": listed("antibodies"),
    }
