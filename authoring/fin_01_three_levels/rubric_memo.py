"""The rubric's items on the memo: its outline, its figures, and what a judge reads."""

from authoring.fin_01_three_levels.memo import MEMO, said
from authoring.fin_01_three_levels.story import Story
from authoring.parts.items import RubricSheet
from bythebook.deliverables.rubric import Failure

HEADINGS = (
    "Recommendation",
    "Quality of earnings",
    "Price and funding",
    "Returns and covenants",
    "Sources and open points",
)
DOMAIN: Failure = "domain expertise"


def memo_items(told: Story, sheet: RubricSheet) -> None:
    sheet.item(
        "structure",
        "auxiliary",
        "The memo has the five headings, as headings and in order.",
        check={"outline": {"file": MEMO, "has": HEADINGS, "in_order": True}},
    )
    paid, base = told.price, told.outcomes["Base"]
    rows = [
        {"is": round(paid.normalised), "digits": 3, "near": "Normalised EBITDA"},
        {"is": round(paid.covenant_ebitda), "digits": 3, "near": "Covenant EBITDA"},
        {"is": round(paid.equity), "digits": 3, "near": "Equity price"},
        {"is": round(base.irr, 5), "digits": 3, "near": "Base IRR"},
        {"is": told.largest, "digits": 3, "near": "Maximum senior loan"},
    ]
    text = said(told)
    sheet.item(
        "integration",
        "important",
        f"The memo's table gives Normalised EBITDA {text['normalised']}, Covenant EBITDA {text['covenant']}, Equity price {text['equity']}, Base IRR {text['irr']} "
        f"and Maximum senior loan {text['largest']}, rounded as the writer likes.",
        check={"figures": {"file": MEMO, "only": "tables", "all": rows}},
    )
    _judged(told, sheet, text)


def _judged(told: Story, sheet: RubricSheet, text: dict[str, str]) -> None:
    sheet.item(
        "domain",
        "core",
        f"The memo recommends to renegotiate and gives the reason: the Base case's headroom of {text['room']} on 31 March 2027 is below the 20 % of IP-04, returns and price being "
        f"fine; with a senior loan of at most {text['largest']} the tests are met and the Base IRR is {text['reduced_irr']}.",
        failure=DOMAIN,
        screen={"figures": {"file": MEMO, "all": [{"is": told.largest, "digits": 3}]}},
        truth=f"Only T3 of IP-04 section 4 fails: least headroom {text['room']} on 31 March 2027 (limit 20 %). T1 {text['irr']} (18 %), T2 {text['low_moic']} (1.00), T4 {text['premium']} (10 %) "
        f"are met, so 4.1 says Renegotiate. Maximum senior loan {text['largest']} in place of {text['loan']} (4.2); the fund pays {text['more']} more; Base IRR then {text['reduced_irr']}. "
        "An unconditional yes, a no, or a recommendation without the date and the loan fails. Sensible rounding is right.",
    )
    sheet.item(
        "domain",
        "important",
        "The memo explains that the settlement was claimed twice and stands in the books once because the accrual was released, and names every refused add-back (trade fair, joint "
        "purchasing, exchange loss) and at least four of the five cut ones with amount and reason, and the two incomes deducted.",
        failure=DOMAIN,
        truth=f"V2 and V3 {text['settlement']} each, release on account 4900 on 31 July 2024 (ledger.csv), so only one counts. Refused besides: V4 {text['fair']} (also posted November 2022), V8 "
        f"{text['synergies']}, V9 {text['exchange']} (account 7600). Cut: V1 {text['v1_claim']} to {text['v1']}, V5 {text['v5_claim']} to {text['v5']}, V6 {text['v6_claim']} to {text['v6']}, V7 "
        f"{text['v7_claim']} to {text['v7']}, V10 {text['v10_claim']} to {text['v10']}. Deducted: grant {text['b1']}, vehicle {text['b2']}. Rules: IP-04, section 1. Either the cut amounts or the "
        "differences may be given.",
    )
    sheet.item(
        "domain",
        "important",
        "The memo says that lease liabilities are debt in the price but not under the covenants, where the lease payments reduce EBITDA, and gives both leverage figures at closing.",
        failure=DOMAIN,
        screen={
            "figures": {
                "file": MEMO,
                "all": [{"is": text["lever"], "digits": 2}, {"is": text["lever_ifrs"], "digits": 2}],
            }
        },
        truth=f"Schedule 2 on page 2 of the signed term sheet: A counts lease liabilities ({text['leases']}) as debt, B leaves them out of Net senior debt and deducts lease payments "
        f"({text['lease_payments']} in the LTM). Leverage at closing {text['lever']} (bank) and {text['lever_ifrs']} (with leases, by Normalised EBITDA).",
    )
    sheet.item(
        "integration",
        "important",
        "Sources and open points says of each of these which source was followed: the draft term sheet of September against the signed one, the indicative rate against the confirmed "
        "one, and at least three of the four points of the controller's mail.",
        truth=f"The signed term sheet of 22 November 2024 replaces the draft of 20 September ({text['old_multiple']} times, other covenants). Rate {text['interest']} by rate-confirmation.md, not "
        f"{text['indicative']}. mail-from-controller.md: lines exported twice, flow bench {text['bench']} out of trade payables, closing rate of September {text['rate']} instead of {text['printed']}, "
        f"retention bonuses {text['bonuses']}. They may also be said in other sections of the memo.",
    )
    sheet.item(
        "presentation",
        "auxiliary",
        "The memo opens with the decision, fits two pages, and says who is asked for what: the bank for the smaller loan, the vendor for the normalisation or the debt items.",
        truth=f"The bank: a loan of {text['largest']}; it keeps the covenant step (rate-confirmation.md), so asking only for other covenants is not enough. The vendor: our Normalised EBITDA, or "
        "bench and bonuses as debt.",
    )
    sheet.item(
        "integration",
        "important",
        "On Adjustments each amount that counts is traced: ledger document numbers, or the account or the subsidiary's pack where it rests on these, stand beside it with a reason.",
        truth="Documents in ledger.csv: "
        + "; ".join(f"{one.no} {', '.join(one.documents)}" for one in told.adjustments if one.documents and one.decision != "reject")
        + ". V1 rests on account 6020, V10 on the notes of subsidiary-pack.xlsx. A missing document among the nine of V7 is tolerable; another adjustment without any fails.",
    )
