"""An airline's desk: conversations that keep its policy, and for each rule one that breaks it."""

from typing import Any

from tests.packs.dialogue import Step, Talk, agent, customer, talk, use

USER = "ines_roth_3003"
CARD, SECOND_CARD, GIFT = "credit_card_7100001", "credit_card_7100002", "gift_card_7100003"
CERTIFICATE, SECOND = "certificate_7100004", "certificate_7100005"
TRIP, BOOKED = "QX11AA", "HATHAT"
OUT, LATER, HOME, DETOUR = "HAT901", "HAT902", "HAT903", "HAT904"
DAY, NEXT = "2024-05-20", "2024-05-21"
HUMAN = "YOU ARE BEING TRANSFERRED TO A HUMAN AGENT. PLEASE HOLD ON."
ROUTES = {OUT: ("OSL", "BER"), LATER: ("OSL", "BER"), HOME: ("BER", "OSL"), DETOUR: ("OSL", "ROM")}


def leg(number: str, date: str = DAY) -> dict[str, Any]:
    start, end = ROUTES[number]
    return {
        "flight_number": number, "date": date, "origin": start, "destination": end, "price": 80,
    }  # fmt: skip


def passengers(number: int) -> list[dict[str, str]]:
    return [
        {"first_name": f"Ines{n}", "last_name": "Roth", "dob": "1990-01-01"} for n in range(number)
    ]


def reservation(*flights: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {
        "reservation_id": TRIP, "user_id": USER, "origin": "OSL", "destination": "BER",
        "flight_type": "one_way", "cabin": "economy", "flights": list(flights) or [leg(OUT)],
        "passengers": passengers(2), "payment_history": [{"payment_id": CARD, "amount": 160}],
        "created_at": "2024-05-01T09:00:00", "total_baggages": 1, "nonfree_baggages": 0,
        "insurance": "no", "status": None,
    } | more  # fmt: skip


def profile(membership: str = "regular") -> dict[str, Any]:
    methods = (CARD, SECOND_CARD, GIFT, CERTIFICATE, SECOND)
    return {
        "user_id": USER, "name": {"first_name": "Ines", "last_name": "Roth"},
        "membership": membership, "reservations": [TRIP],
        "payment_methods": {m: {"source": m.rsplit("_", 1)[0], "id": m} for m in methods},
    }  # fmt: skip


READ = use("get_user_details", profile(), user_id=USER)
WHO = (agent("Please give me your user id."), customer(f"It is {USER}."), READ)


def looked_up(**more: Any) -> Step:
    return use("get_reservation_details", reservation(**more), reservation_id=TRIP)


def changed(*flights: dict[str, Any], cabin: str = "economy", insurance: str = "no") -> Step:
    return use(
        "update_reservation_flights", reservation(*flights, cabin=cabin, insurance=insurance),
        reservation_id=TRIP, cabin=cabin, payment_id=CARD,
        flights=[{"flight_number": f["flight_number"], "date": f["date"]} for f in flights],
    )  # fmt: skip


def found(*numbers: str) -> Step:
    flights = [leg(number) | {"status": "available"} for number in numbers]
    return use("search_direct_flight", flights, origin="OSL", destination="BER", date=DAY)


def paid(*methods: str) -> list[dict[str, Any]]:
    return [{"payment_id": method, "amount": 50} for method in methods]


BOOKED_TRIP = talk(
    customer("I want to fly from Oslo to Berlin."),
    *WHO,
    found(OUT),
    agent("I would book 2 seats, 2 bags, no insurance, paid by card. Shall I? (yes/no)"),
    customer("Yes."),
    use(
        "book_reservation", reservation(reservation_id=BOOKED, created_at="2024-05-15T15:00:00"),
        user_id=USER, origin="OSL", destination="BER", flight_type="one_way", cabin="economy",
        flights=[{"flight_number": OUT, "date": DAY}], passengers=passengers(2),
        payment_methods=paid(CARD), total_baggages=2, nonfree_baggages=0, insurance="no",
    ),
    agent("It is booked."),
)  # fmt: skip
CHANGED_TRIP = talk(
    customer("I want to fly a day later, with more room."),
    *WHO,
    looked_up(),
    found(LATER),
    agent(f"I would change {TRIP} to {LATER} on {NEXT} in business, charged to your card. Yes?"),
    customer("Yes, go ahead."),
    changed(leg(LATER, NEXT), cabin="business"),
    agent("It is changed."),
)
SAME_FLIGHTS = talk(
    customer("I want to sit better."),
    *WHO,
    looked_up(cabin="basic_economy"),
    agent(f"I would change {TRIP} to economy, charged to your card. Yes?"),
    customer("Yes, go ahead."),
    changed(leg(OUT)),
    agent("It is changed."),
)
BAGS = talk(
    customer("I have more bags, and my name is wrong."),
    *WHO,
    looked_up(),
    agent(f"I would set {TRIP} to 3 bags, one of them paid, and correct the passenger. Yes?"),
    customer("Yes."),
    use(
        "update_reservation_baggages", reservation(total_baggages=3, nonfree_baggages=1),
        reservation_id=TRIP, total_baggages=3, nonfree_baggages=1, payment_id=CARD,
    ),
    use(
        "update_reservation_passengers", reservation(total_baggages=3, nonfree_baggages=1),
        reservation_id=TRIP, passengers=passengers(2),
    ),
    agent("Both is done."),
)  # fmt: skip
CANCEL = use("cancel_reservation", reservation(status="cancelled"), reservation_id=TRIP)
INSURED = talk(
    customer("I am sick and must cancel."),
    *WHO,
    looked_up(insurance="yes"),
    agent(f"I would cancel {TRIP} on your insurance. Yes?"),
    customer("Yes, please cancel it."),
    CANCEL,
    agent("It is cancelled."),
)
STOPPED = use("get_flight_status", "cancelled", flight_number=OUT, date=DAY)
DELAYED = use("get_flight_status", "delayed", flight_number=OUT, date=DAY)


def certificate(amount: int) -> Step:
    return use("send_certificate", "Certificate sent.", user_id=USER, amount=amount)


COMPENSATED = talk(
    customer("My flight was cancelled by you! I want compensation."),
    *WHO,
    looked_up(insurance="yes"),
    STOPPED,
    certificate(200),
    agent("You have a certificate of 200 dollars."),
)
LATE = talk(
    customer("My flight is late, I want another one, and compensation."),
    *WHO,
    looked_up(insurance="yes"),
    DELAYED,
    found(LATER),
    agent(f"I would change {TRIP} to {LATER} on {NEXT}, charged to your card. Yes?"),
    customer("Yes."),
    changed(leg(LATER, NEXT), insurance="yes"),
    certificate(100),
    agent("You have a certificate of 100 dollars. Anything else?"),
    customer("I want to speak about my taxes."),
)
HANDED_OVER = LATE.and_then(
    use("transfer_to_human_agents", "Transfer successful", summary="taxes"), agent(HUMAN)
)
UNKNOWN = ("get_flight_status",)
GOOD_FIRST: dict[str, Talk] = {
    "booked": BOOKED_TRIP, "changed": CHANGED_TRIP, "same flights": SAME_FLIGHTS, "bags": BAGS,
    "insured": INSURED, "compensated": COMPENSATED.without(*UNKNOWN),
    "late": LATE.without(*UNKNOWN),
}  # fmt: skip
GOOD_NOW = GOOD_FIRST | {"compensated": COMPENSATED, "late": HANDED_OVER}
"""The same where the status of flights can be asked, and the policy says how to hand over."""

BAD_BOTH: dict[str, tuple[Talk, set[str]]] = {
    "changed before a word": (
        SAME_FLIGHTS.without("I would change"), {"details-before-change"},
    ),
    "booked before a word": (
        BOOKED_TRIP.without("I would book").saying("I want to fly", "No insurance. Oslo, Berlin."),
        {"details-before-booking"},
    ),
    "booked twice": (
        BOOKED_TRIP.before("It is booked", BOOKED_TRIP.steps[-2]),
        {"booked-once"},
    ),
    "a new wish is no yes": (
        INSURED.saying("I would cancel", f"Your trip {TRIP} is confirmed.")
        .saying("Yes, please cancel it.", "Then I do not want it."), {"yes-before-change"},
    ),
    "not before the promised approval": (
        INSURED.saying("Yes, please", "Send me a summary first, and I'll confirm."),
        {"not-before-promised-approval"},
    ),
    "a user id nobody gave": (
        INSURED.saying("It is ines", "I have forgotten it."), {"user-id-given"},
    ),
    "six passengers": (
        BOOKED_TRIP.using("book_reservation", passengers=passengers(6)),
        {"at-most-five-passengers"},
    ),
    "two certificates": (
        BOOKED_TRIP.using("book_reservation", payment_methods=paid(CERTIFICATE, SECOND)),
        {"one-certificate"},
    ),
    "two credit cards": (
        BOOKED_TRIP.using("book_reservation", payment_methods=paid(CARD, SECOND_CARD)),
        {"one-credit-card"},
    ),
    "four gift cards": (
        BOOKED_TRIP.using("book_reservation", payment_methods=paid(GIFT, GIFT, GIFT, GIFT)),
        {"three-gift-cards"},
    ),
    "a card of somebody": (
        BOOKED_TRIP.using("book_reservation", payment_methods=paid("credit_card_9")),
        {"booked-with-own-payment"},
    ),
    "a free bag charged": (
        BOOKED_TRIP.using("book_reservation", nonfree_baggages=1), {"bags-charged-at-booking"},
    ),
    "no word of insurance": (
        BOOKED_TRIP.saying("I would book", "I would book 2 seats, 2 bags. Shall I?"),
        {"insurance-spoken-of"},
    ),
    "flights changed unseen": (
        CHANGED_TRIP.without("get_reservation_details"), {"looked-up-before-flight-change"},
    ),
    "basic economy changed": (
        CHANGED_TRIP.using("get_reservation_details", reservation(cabin="basic_economy")),
        {"basic-economy-kept"},
    ),
    "elsewhere": (
        CHANGED_TRIP.using(
            "update_reservation_flights", reservation(leg(DETOUR)),
            flights=[{"flight_number": DETOUR, "date": DAY}],
        ), {"route-kept"},
    ),
    "a return flight added": (
        CHANGED_TRIP.using(
            "update_reservation_flights", reservation(leg(LATER, NEXT), leg(HOME, NEXT)),
        ), {"route-kept"},
    ),
    "a change paid by certificate": (
        CHANGED_TRIP.using("update_reservation_flights", payment_id=CERTIFICATE),
        {"no-certificate-for-change"},
    ),
    "a bag taken away": (
        BAGS.using("update_reservation_baggages", total_baggages=0, nonfree_baggages=0),
        {"bags-not-removed"},
    ),
    "a paid bag for nothing": (
        BAGS.using("update_reservation_baggages", nonfree_baggages=0), {"bags-charged-at-change"},
    ),
    "a passenger more": (
        BAGS.using("update_reservation_passengers", passengers=passengers(3)),
        {"number-of-passengers-kept"},
    ),
    "cancelled unseen": (
        INSURED.without("get_reservation_details"), {"looked-up-before-cancellation"},
    ),
    "cancelled without a ground": (
        INSURED.using("get_reservation_details", reservation()), {"ground-for-cancellation"},
    ),
    "insured, for no covered reason": (
        INSURED.saying("I am sick", "I want to cancel, my plans changed."),
        {"insured-reason-for-cancellation"},
    ),
    "cancelled after the flight": (
        INSURED.using("get_reservation_details", reservation(leg(OUT, "2024-05-14"),
                                                             insurance="yes")),
        {"nothing-flown-when-cancelled"},
    ),
    "two calls in a turn": (
        INSURED.without("get_user_details", "get_reservation_details").before(
            "I would cancel", Step("assistant", "", (*READ.calls,
                                                     *looked_up(insurance="yes").calls))),
        {"one-call-a-turn"},
    ),
    "words beside a call": (
        INSURED.saying("get_reservation_details", "Let me see."), {"call-or-speak"},
    ),
}  # fmt: skip
"""Conversation to the rules that it breaks, and no others."""
FACTS, DELAY = "certificate-after-facts", "certificate-for-delay-after-change"
BAD_NOW = BAD_BOTH | {
    "cabin changed after the flight": (
        SAME_FLIGHTS.using("get_reservation_details", reservation(leg(OUT, "2024-05-14")))
        .using("update_reservation_flights", cabin="business"), {"cabin-kept-once-flown"},
    ),
    "changed with a card of somebody": (
        CHANGED_TRIP.using("update_reservation_flights", payment_id="credit_card_9"),
        {"changed-with-own-payment"},
    ),
    "a flight of today has landed": (
        INSURED.using("get_reservation_details", reservation(leg(OUT, "2024-05-15"),
                                                             insurance="yes"))
        .before("I would cancel", use("get_flight_status", "landed", flight_number=OUT,
                                      date="2024-05-15")),
        {"nothing-flown-when-cancelled"},
    ),
    "a certificate for a regular guest": (
        COMPENSATED.using("get_reservation_details", reservation()),
        {"certificate-for-the-eligible"},
    ),
    "a certificate without facts": (COMPENSATED.without("get_flight_status"), {FACTS}),
    "a certificate too large": (
        COMPENSATED.without("send_certificate").before("You have", certificate(300)), {FACTS},
    ),
    "a delay and no change": (LATE.without("update_reservation_flights"), {DELAY}),
    "nobody asked for compensation": (
        COMPENSATED.saying("I want compensation", "My flight was cancelled by you!"),
        {"certificate-asked-for"},
    ),
    "said, not done": (LATE.and_then(agent(HUMAN)), {"transfer-said-and-done"}),
    "done, not said": (HANDED_OVER.saying(HUMAN, "Goodbye."), {"transfer-sentence"}),
}  # fmt: skip
UNSEEN = GOOD_FIRST["compensated"]
BAD_FIRST = BAD_BOTH | {
    "a certificate for a regular guest": (
        UNSEEN.using("get_reservation_details", reservation()), {"certificate-for-the-eligible"},
    ),
    "a certificate too large": (
        UNSEEN.without("send_certificate").before("You have", certificate(300)),
        {"certificate-of-right-amount"},
    ),
    "a delay and no change": (
        GOOD_FIRST["late"].without("update_reservation_flights"), {DELAY},
    ),
    "nobody asked for compensation": (
        UNSEEN.saying("I want compensation", "My flight was cancelled by you!"),
        {"certificate-asked-for"},
    ),
}  # fmt: skip
