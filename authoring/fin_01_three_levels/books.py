"""The parent's ledger: regular postings of each month, what happened once, and lines exported
twice."""

from decimal import Decimal

from authoring.fin_01_three_levels.world import AFTER, BEFORE, LTM, Posting, at_end
from authoring.parts.dice import Dice

D = Decimal
CENTRES = ("100 Laboratory", "200 Field", "300 Sales", "900 Administration")
REGULAR: tuple[tuple[int, str, str, tuple[str, ...]], ...] = (
    (4000, "-468000", "-545000", ("100 Laboratory",)),
    (4000, "-61000", "-88000", ("200 Field",)),
    (4100, "-172000", "-214000", ("200 Field",)),
    (4200, "-84000", "-131000", ("300 Sales",)),
    (4900, "-1600", "-2700", ("900 Administration",)),
    (5000, "64000", "79000", ("100 Laboratory",)),
    (5000, "39000", "51000", ("300 Sales",)),
    (5100, "58000", "76000", ("200 Field",)),
    (6000, "176000", "189000", ("100 Laboratory",)),
    (6000, "82000", "91000", ("200 Field",)),
    (6000, "41000", "46000", ("900 Administration",)),
    (6010, "62000", "68000", ("900 Administration",)),
    (6200, "9000", "12500", ("900 Administration",)),
    (6300, "33000", "44000", ("200 Field",)),
    (6400, "6000", "11000", ("900 Administration",)),
    (6500, "5000", "9500", ("300 Sales",)),
    (6600, "13000", "18000", ("900 Administration",)),
    (6700, "11000", "16000", ("100 Laboratory",)),
    (6700, "9000", "13000", ("900 Administration",)),
    (7000, "34000", "38000", ("900 Administration",)),
    (7010, "25500", "25500", ("900 Administration",)),
    (7500, "4200", "5100", ("900 Administration",)),
    (7510, "3900", "4300", ("900 Administration",)),
    (8000, "21000", "29000", ("900 Administration",)),
)
DAY = {4000: "30", 4100: "30", 4200: "28", 6000: "28", 6010: "28"}
TEXTS = {
    4000: "Calibrations invoiced",
    4100: "Field jobs invoiced",
    4200: "Instruments delivered",
    4900: "Canteen, recharges",
    5000: "Standards, gases, parts",
    5100: "Subcontracted jobs",
    6000: "Payroll",
    6010: "Social security",
    6200: "Service charges",
    6300: "Fleet and travel",
    6400: "Advisers",
    6500: "Advertising",
    6600: "Licences and hosting",
    6700: "Sundry",
    7000: "Depreciation",
    7010: "Depreciation, leases",
    7500: "Bank interest",
    7510: "Interest, leases",
    8000: "Tax prepayment",
}


class Once:
    """Something that happened: it becomes a posting, and its document can be asked for."""

    def __init__(self, key: str, posted: str, account: int, text: str, amount: Decimal) -> None:
        self.key, self.posted, self.account = key, posted, account
        self.text, self.amount = text, amount


def amounts(dice: Dice) -> dict[str, Decimal]:
    """What the events cost or brought."""
    settlement = D(dice.whole(158, 196)) * 1000
    water = D(dice.whole(520, 640)) * 100
    return {
        "director": D(dice.whole(245, 275)) * 100,
        "depot": D(dice.whole(49, 62)) * 100,
        "settlement": settlement,
        "fair": D(dice.whole(590, 680)) * 100,
        "fair before": D(dice.whole(560, 650)) * 100,
        "erp early": D(dice.whole(110, 128)) * 100,
        "erp": D(dice.whole(165, 195)) * 100,
        "water": water,
        "refund": water - D(dice.whole(140, 190)) * 100,
        "gain": D(dice.whole(410, 520)) * 100,
        "subsidy": D(dice.whole(330, 420)) * 100,
        "scrap": D(dice.whole(52, 71)) * 100,
        "exchange": D(dice.whole(190, 260)) * 100,
        "diligence": D(dice.whole(780, 960)) * 100,
    }


def happened(cost: dict[str, Decimal], depot: str) -> list[Once]:
    """All that is not regular, with the key by which adjustments ask for documents."""
    erp = "ERP migration, external consultants"
    settled = cost["settlement"]
    found = [
        Once("V2", "2024-03-31", 6400, "Accrual settlement distributor", settled),
        Once("V2", "2024-07-15", 6400, "Settlement former distributor, invoice", settled),
        Once("V2", "2024-07-31", 4900, "Release of accruals", -settled),
        Once("fair", "2022-11-24", 6500, "Trade fair, stand and travel", cost["fair before"]),
        Once("V4", "2023-11-23", 6500, "Trade fair, stand and travel", cost["fair"]),
        Once("erp", "2023-08-31", 6600, erp, cost["erp early"]),
        Once("erp", "2023-09-29", 6600, erp, cost["erp early"] + 1300),
        Once("V6", "2024-02-19", 6700, "Burst pipe, drying and repairs", cost["water"]),
        Once("V6", "2024-05-08", 4900, "Insurer, claim 2024/0219", -cost["refund"]),
        Once("B1", "2023-12-14", 4900, "Training grant, one payment", -cost["subsidy"]),
        Once("B2", "2024-01-22", 4900, "Sale of measuring vehicle, gain", -cost["gain"]),
        Once("scrap", "2023-03-27", 4900, "Scrap sold", -cost["scrap"]),
        Once("scrap", "2024-03-25", 4900, "Scrap sold", -cost["scrap"] - 400),
        Once("V9", "2024-06-28", 7600, "Revaluation of PLN loan", cost["exchange"]),
        Once("V11", "2024-08-20", 6400, "Vendor due diligence, sale process", cost["diligence"]),
    ]
    found += [
        Once("V5", f"{month}-{day}", 6600, erp, cost["erp"] + 700 * number)
        for number, (month, day) in enumerate(
            (("2023-10", "31"), ("2023-11", "30"), ("2023-12", "29"), ("2024-01", "31"))
        )
    ]
    months = [*BEFORE, *LTM[:9]]
    found += [
        Once("V7", at_end(m), 6100, f"Depot {depot}, running cost", cost["depot"]) for m in months
    ]
    return found


def ledger(
    dice: Dice, depot: str
) -> tuple[tuple[Posting, ...], dict[str, tuple[str, ...]], dict[str, Decimal]]:
    """The postings as exported; adjustment to its documents; what the events came to."""
    cost = amounts(dice)
    drafts = [
        *(
            (once.key, once.posted, once.account, once.text, once.amount)
            for once in happened(cost, depot)
        ),
        *(
            draft
            for number, month in enumerate((*BEFORE, *LTM, *AFTER))
            for draft in _month(dice, number, month, cost)
        ),
    ]
    drafts.sort(key=lambda one: (one[1], one[2], one[3]))
    found: list[Posting] = []
    documents: dict[str, list[str]] = {}
    for number, (key, posted, account, text, amount) in enumerate(drafts, 1):
        document = f"{posted[2:4]}-{10000 + 7 * number}"
        centre = key if key in CENTRES else "900 Administration"
        found.append(Posting(posted, document, 1, account, text, centre, amount))
        if key[0] in "VB" and posted[:7] in LTM:
            documents.setdefault(key, []).append(document)
    whole = tuple(found)
    return _twice(whole), {key: tuple(names) for key, names in documents.items()}, cost


Draft = tuple[str, str, int, str, Decimal]


def _month(dice: Dice, number: int, month: str, cost: dict[str, Decimal]) -> list[Draft]:
    """The regular postings of one month; sales and costs grow a little."""
    grown = 1 + D(number) * D("0.0035")
    found: list[Draft] = []
    for account, low, high, centres in REGULAR:
        first, last = sorted((int(low), int(high)))
        euros = D(dice.whole(first, last)) if first < last else D(first)
        spread = D(dice.whole(0, 99)) / 100
        scaled = euros if account >= 7000 else (euros * grown).quantize(D(1))
        day = DAY.get(account, "26")
        posted = f"{month}-{'28' if month.endswith('-02') else day}"
        found.append((centres[0], posted, account, TEXTS[account], scaled + spread))
    found.append(("900 Administration", f"{month}-25", 6020, "Managing director", cost["director"]))
    return found


def _twice(postings: tuple[Posting, ...]) -> tuple[Posting, ...]:
    """The last days of February 2024 stand in the export once more, at its end."""
    return postings + tuple(one for one in postings if "2024-02-27" <= one.posted <= "2024-02-29")
