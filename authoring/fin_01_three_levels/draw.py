"""One world of a seed, put together."""

from decimal import Decimal

from msgspec.structs import replace

from authoring.fin_01_three_levels import world as w
from authoring.fin_01_three_levels.books import ledger
from authoring.fin_01_three_levels.world import (
    ITEMS,
    LTM,
    PACK,
    Deal,
    Matter,
    Scenario,
    Terms,
    World,
    thousands,
)
from authoring.parts.dice import Dice

D = Decimal
SELLERS = (
    *("Aubrecht", "Bodensee", "Dornhof", "Kaltwasser", "Lindach"),
    *("Merano", "Oderberg", "Pegnitz", "Saalfeld", "Treuen"),
)


def world(seed: int) -> World:
    """All but the covenants, which `rules` sets so that one test date of one case is too tight."""

    def dice(part: str) -> Dice:
        return Dice("fin-01", part, seed)

    fund, platform, target, subsidiary = w.group(dice("names"))
    city, depot = dice("places").sample(("Linz", "Graz", "Ulm", "Jena", "Passau", "Gera"), 2)
    partner, controller, lender, adviser = w.team(dice("people"))
    average, closing, printed = w.rates(dice("rates"))
    postings, documents, cost = ledger(dice("ledger"), depot)
    pack = _pack(dice("pack"))
    severance = D(dice("severance").whole(360, 440))
    pack["Personnel"]["2024-04"] += severance
    bench = D(dice("bench").whole(1980, 2460)) * 100
    drawn = World(
        seed=seed,
        fund=fund,
        platform=platform,
        target=target,
        subsidiary=subsidiary,
        city=city,
        depot=depot,
        partner=partner,
        controller=controller,
        lender=lender,
        adviser=adviser,
        ledger=postings,
        pack=pack,
        pack_balances=_pack_balances(dice("pack balances")),
        balances=_balances(dice("balances"), bench),
        leases=_leases(dice("leases")),
        average=average,
        closing=closing,
        printed=printed,
        bench=bench,
        severance=severance,
        matters=(),
        documents=documents,
        terms=_terms(dice("terms")),
        cases=_cases(dice("cases")),
        deals=_deals(dice("deals")),
    )
    return replace(drawn, matters=_matters(drawn, cost, dice("matters")))


def _pack(dice: Dice) -> dict[str, dict[str, Decimal]]:
    """The subsidiary's months, thousands of PLN."""
    found: dict[str, dict[str, Decimal]] = {name: {} for name in (*w.LINES, w.PAYMENTS)}
    for number, month in enumerate(PACK):
        grown = 1 + D(number) * D("0.006")
        revenue = thousands(dice.decimal("1080.0", "1290.0") * grown)
        found["Revenue"][month] = revenue
        found["Materials"][month] = thousands(revenue * dice.decimal("0.210", "0.250"))
        found["Personnel"][month] = thousands(dice.decimal("430.0", "470.0") * grown)
        found["Other operating costs"][month] = thousands(dice.decimal("205.0", "250.0") * grown)
        found["Depreciation"][month] = dice.decimal("36.0", "41.0")
        found["Interest"][month] = dice.decimal("6.0", "9.0")
        found[w.PAYMENTS][month] = dice.decimal("29.0", "33.0")
    return found


def _walk(dice: Dice, low: int, high: int, step: int) -> dict[str, Decimal]:
    return {month: D(dice.whole(low, high, step)) for month in LTM}


def _balances(dice: Dice, bench: Decimal) -> dict[str, dict[str, Decimal]]:
    """Month ends of the parent, whole euros, all positive."""
    spans = {
        "Trade receivables": (1380, 1690),
        "Inventories": (430, 560),
        "Prepaid expenses": (48, 96),
        "Trade payables": (520, 690),
        "Accrued wages": (190, 260),
        "Customer prepayments": (110, 190),
        "VAT and wage taxes payable": (130, 185),
        "Cash at bank": (480, 790),
        "Accrued interest": (5, 10),
        "Income tax payable": (120, 190),
        "Payables for fixed assets": (20, 60),
        "Deferred tax liability": (70, 74),
    }
    found = {
        name: {
            m: v + D(dice.whole(1, 999)) for m, v in _walk(dice, 1000 * a, 1000 * b, 1000).items()
        }
        for name, (a, b) in spans.items()
    }
    deposit, owed = D(dice.whole(48, 63)) * 1000, D(dice.whole(200, 300, 10)) * 1000
    loans, leases = D(dice.whole(980, 1080, 10)) * 1000, D(dice.whole(1980, 2120)) * 1000
    found["Rent deposit, pledged"] = dict.fromkeys(LTM, deposit)
    found["Shareholder loan"] = dict.fromkeys(LTM, owed)
    found["Bank loans"] = {m: loans - 15000 * n for n, m in enumerate(LTM)}
    found["Lease liabilities"] = {m: leases - D(12340) * n for n, m in enumerate(LTM)}
    for month in LTM[9:]:
        found["Trade payables"][month] += bench
    return {name: found[name] for name in ITEMS}


def _pack_balances(dice: Dice) -> dict[str, dict[str, Decimal]]:
    """Month ends of the subsidiary, thousands of PLN."""
    spans = {
        "Trade receivables": (1750, 2150),
        "Inventories": (380, 520),
        "Prepaid expenses": (30, 70),
        "Trade payables": (720, 930),
        "Accrued wages": (190, 250),
        "Customer prepayments": (40, 120),
        "VAT and wage taxes payable": (150, 230),
        "Cash at bank": (260, 620),
        "Accrued interest": (3, 8),
        "Income tax payable": (60, 130),
    }
    found = {
        name: {m: v + D(dice.whole(0, 9)) / 10 for m, v in _walk(dice, a, b, 1).items()}
        for name, (a, b) in spans.items()
    }
    loans, leases = D(dice.whole(1150, 1350, 10)), D(dice.whole(1280, 1410))
    found["Bank loans"] = {m: loans - 20 * n for n, m in enumerate(LTM)}
    found["Lease liabilities"] = {m: leases - D("14.5") * n for n, m in enumerate(LTM)}
    none = dict.fromkeys(LTM, D("0.0"))
    return {name: found.get(name, none) for name in ITEMS}


def _leases(dice: Dice) -> dict[str, Decimal]:
    """What the parent pays; the rent goes up in April."""
    low = D(dice.whole(286, 304)) * 100
    return {m: low if m < "2024-04" else (low * D("1.03")).quantize(D("0.01")) for m in LTM}


def _terms(dice: Dice) -> Terms:
    multiple = D(dice.whole(590, 615, 5)) / 100
    interest = D(dice.whole(700, 740, 10)) / 10000
    return Terms(
        multiple=multiple,
        old_multiple=multiple - D("0.35"),
        loan=D("3.00"),
        indicative=interest - D("0.0075"),
        interest=interest,
        costs=D(dice.whole(380, 450, 10)) * 1000,
        cash=D(400000),
        director=D(dice.whole(148, 165)) * 100,
        bonuses=D(dice.whole(104, 138)) * 1000,
    )


def _cases(dice: Dice) -> tuple[Scenario, ...]:
    growth = D(dice.whole(60, 70, 5)) / 1000
    exit_ = D(dice.whole(660, 690, 10)) / 100
    return (
        Scenario("Low", D("0.020"), D("-0.0015"), D("5.75")),
        Scenario("Base", growth, D("0.0035"), exit_),
        Scenario("High", growth + D("0.025"), D("0.0055"), exit_ + D("0.40")),
    )


def _deals(dice: Dice) -> tuple[Deal, ...]:
    """Eleven lines: five deals count, the sixth line is the fifth deal once more.

    All that do not count lie above the median, so that no two mistakes outweigh each other.
    """
    field, other = "Testing and calibration", "Laboratory equipment"
    low = D(dice.whole(535, 545)) / 100
    plan: tuple[tuple[str, str, str, Decimal, str, str], ...] = (
        ("2024-06-11", field, "9.6", low, "IFRS 16", ""),
        ("2023-11-30", field, "21.4", low + D("0.12"), "IFRS 16", ""),
        ("2024-02-20", field, "14.2", low + D("0.28"), "IFRS 16", ""),
        ("2022-05-17", field, "31.0", low + D("1.10"), "IFRS 16", ""),
        ("2023-03-08", field, "7.3", low + D("1.45"), "IFRS 16", ""),
        ("2023-03-08", field, "7.3", low + D("1.45"), "IFRS 16", "from the second database"),
        ("2024-01-15", field, "18.8", low + D("2.35"), "before IFRS 16", "rents deducted"),
        ("2021-04-22", field, "26.5", low + D("2.60"), "IFRS 16", ""),
        ("2023-09-05", other, "12.9", low + D("3.10"), "IFRS 16", ""),
        ("2024-05-02", field, "6.1", low + D("3.60"), "IFRS 16", "sold by the administrator"),
        ("2023-06-29", field, "184.0", low + D("4.40"), "IFRS 16", "listed buyer"),
    )
    names = dice.sample(SELLERS, 10)
    targets = [*names[:5], names[4].upper(), *names[5:]]
    tails = ("Messtechnik", "Calibro", "Lab", "Prüfdienst", "Metrics")
    found = []
    for number, ((signed, activity, value, multiple, basis, remark), name) in enumerate(
        zip(plan, targets, strict=True), 1
    ):
        worth = D(value)
        ebitda = (worth / multiple).quantize(D("0.001"))
        tail = tails[4 if number == 6 else (number - 1) % 5]
        full = f"{name} {tail if number != 6 else tail.upper()}"
        found.append(Deal(number, signed, full, activity, worth, ebitda, basis, remark))
    return tuple(found)


def _matters(drawn: World, cost: dict[str, Decimal], dice: Dice) -> tuple[Matter, ...]:
    """What the vendor claims."""
    fair = cost["director"] - D(dice.whole(98, 108)) * 100
    erp = 4 * cost["erp"] + 6 * 700 + 2 * cost["erp early"] + 1300
    severance = (drawn.severance * 1000 / drawn.closing["2024-09"]).quantize(D(1))
    savings = D(dice.whole(95, 130)) * 1000
    return (
        Matter("V1", "Managing director above market", 12 * fair, "market pay, survey"),
        Matter(
            "V2", "Settlement with former distributor, accrual", cost["settlement"], "March 2024"
        ),
        Matter(
            "V3", "Settlement with former distributor, invoice", cost["settlement"], "July 2024"
        ),
        Matter("V4", "Trade fair, special stand", cost["fair"], "November 2023"),
        Matter("V5", "ERP migration", erp, "consultants, project now closed"),
        Matter("V6", "Burst pipe", cost["water"], "February 2024"),
        Matter("V7", f"Depot {drawn.depot} closed", 12 * cost["depot"], "full year of saved cost"),
        Matter("V8", "Joint purchasing with the buyer", savings, "estimate of management"),
        Matter("V9", "Exchange loss on the PLN loan", cost["exchange"], "June 2024"),
        Matter("V10", f"Severance at {drawn.subsidiary}", severance, "April 2024, in EUR"),
        Matter("V11", "Vendor due diligence", cost["diligence"], "August 2024"),
    )
