"""A shop's desk: conversations that keep its policy, and for each rule one that breaks it."""

from typing import Any

from tests.packs.dialogue import Step, Talk, agent, customer, talk, use

USER, OTHER = "olga_brandt_1001", "piet_vos_2002"
ORDER, PLACED = "#W1000001", "#W1000002"
"""A pending order and a delivered one."""
LAMP, BULB, RUG = "5000000001", "5000000002", "5000000003"
WARM, COLD, GONE, BOWL = "6000000001", "6000000002", "6000000003", "6000000004"
"""Variants of the lamp's product, the last not to be had; and a bowl."""
CARD, GIFT, PAYPAL = "credit_card_7000001", "gift_card_7000002", "paypal_7000003"
STREET = {
    "address1": "12 Quay Lane", "address2": "", "city": "Leiden", "state": "ZH",
    "country": "NL", "zip": "23110",
}  # fmt: skip
HUMAN = "YOU ARE BEING TRANSFERRED TO A HUMAN AGENT. PLEASE HOLD ON."


def item(key: str, name: str, product: str) -> dict[str, Any]:
    return {"item_id": key, "name": name, "product_id": product, "price": 20.5, "options": {}}


def order(key: str, status: str, user: str = USER, **more: Any) -> dict[str, Any]:
    items = [item(LAMP, "Desk Lamp", "8001"), item(BULB, "Bulb", "8002"), item(RUG, "Rug", "8003")]
    paid = {"transaction_type": "payment", "amount": 61.5, "payment_method_id": CARD}
    return {
        "order_id": key, "user_id": user, "status": status, "items": items,
        "payment_history": [paid],
    } | more  # fmt: skip


PROFILE = {
    "user_id": USER, "name": {"first_name": "Olga", "last_name": "Brandt"},
    "address": STREET, "email": "olga.brandt@example.org",
    "payment_methods": {
        key: {"source": key.rsplit("_", 1)[0], "id": key} for key in (CARD, GIFT, PAYPAL)
    },
    "orders": [ORDER, PLACED],
}  # fmt: skip
LAMPS = {
    "name": "Desk Lamp", "product_id": "8001",
    "variants": {
        key: {"item_id": key, "available": key != GONE, "price": 22.0, "options": {}}
        for key in (LAMP, WARM, COLD, GONE)
    },
}  # fmt: skip
BOWLS = {
    "name": "Bowl", "product_id": "8009",
    "variants": {BOWL: {"item_id": BOWL, "available": True, "price": 9.0, "options": {}}},
}  # fmt: skip

BY_EMAIL: tuple[Step, ...] = (
    agent("Please give me your email, or your name and zip code."),
    customer("It is olga.brandt@example.org."),
    use("find_user_id_by_email", USER, email="olga.brandt@example.org"),
)
BY_NAME: tuple[Step, ...] = (
    agent("Please give me your email, or your name and zip code."),
    customer("Olga Brandt, 23110."),
    use("find_user_id_by_name_zip", USER, first_name="Olga", last_name="Brandt", zip="23110"),
)
READ: tuple[Step, ...] = (
    use("get_user_details", PROFILE, user_id=USER),
    use("get_order_details", order(ORDER, "pending"), order_id=ORDER),
)
READ_PLACED = use("get_order_details", order(PLACED, "delivered"), order_id=PLACED)
READ_LAMPS = use("get_product_details", LAMPS, product_id="8001")

CANCELLED = talk(
    customer("I want to cancel my order, I bought it by mistake."),
    *BY_EMAIL,
    *READ,
    agent(f"I would cancel {ORDER}, ordered by mistake, refund to your card. Shall I? (yes/no)"),
    customer("Yes."),
    use(
        "cancel_pending_order", order(ORDER, "cancelled"), order_id=ORDER,
        reason="ordered by mistake",
    ),
    agent("It is cancelled."),
)  # fmt: skip
MODIFIED = talk(
    customer("I want another lamp in my order."),
    *BY_NAME,
    *READ,
    READ_LAMPS,
    agent(f"I would change the lamp in {ORDER} to {WARM}, paid by card. Are these all the items?"),
    customer("Yes, go ahead, that is all."),
    use(
        "modify_pending_order_items", order(ORDER, "pending (item modified)"), order_id=ORDER,
        item_ids=[LAMP], new_item_ids=[WARM], payment_method_id=CARD,
    ),
    agent("The lamp is changed."),
)  # fmt: skip
MOVED = talk(
    customer("My order shall go to another address, and be paid by PayPal."),
    *BY_NAME,
    *READ,
    agent(f"New address of {ORDER}: 12 Quay Lane, 23110; and your PayPal is charged. Yes?"),
    customer("Yes to both."),
    use("modify_pending_order_address", order(ORDER, "pending"), order_id=ORDER, **STREET),
    use(
        "modify_pending_order_payment", order(ORDER, "pending"), order_id=ORDER,
        payment_method_id=PAYPAL,
    ),
    agent("Both is done."),
)  # fmt: skip
RETURNED = talk(
    customer("I want to send the lamp back."),
    *BY_EMAIL,
    READ[0],
    READ_PLACED,
    agent(f"I would return the lamp of {PLACED}, refund to your gift card. Do you agree?"),
    customer("I agree."),
    use(
        "return_delivered_order_items", order(PLACED, "return requested"), order_id=PLACED,
        item_ids=[LAMP], payment_method_id=GIFT,
    ),
    agent("You get an email."),
)  # fmt: skip
EXCHANGED = talk(
    customer("I want to exchange the lamp."),
    *BY_EMAIL,
    READ[0],
    READ_PLACED,
    READ_LAMPS,
    agent(f"I would exchange the lamp of {PLACED} for {COLD}. Is it the only item? Yes or no?"),
    customer("Yes, only that."),
    use(
        "exchange_delivered_order_items", order(PLACED, "exchange requested"), order_id=PLACED,
        item_ids=[LAMP], new_item_ids=[COLD], payment_method_id=CARD,
    ),
    agent("You get an email."),
)  # fmt: skip
HOME = talk(
    customer("Please change my address."),
    *BY_EMAIL,
    READ[0],
    agent("To 12 Quay Lane, Leiden, 23110, as you wrote?"),
    customer("Correct."),
    use("modify_user_address", PROFILE, user_id=USER, **STREET),
    agent("It is changed. Anything else?"),
    customer("I want to speak about my taxes."),
)
HANDED_OVER = HOME.and_then(
    use("transfer_to_human_agents", "Transfer successful", summary="taxes"), agent(HUMAN)
)
GOOD = {
    "cancelled": CANCELLED, "modified": MODIFIED, "moved": MOVED, "returned": RETURNED,
    "exchanged": EXCHANGED, "home": HOME,
}  # fmt: skip
GOOD_NOW = GOOD | {"home": HANDED_OVER}
"""The same for the policy that says how a customer is handed over."""

EARLY = (
    "authenticated-before-action", "authenticated-before-order-lookup",
    "authenticated-before-profile-lookup",
)  # fmt: skip
LATER = use("modify_pending_order_address", order(ORDER, "pending"), order_id=ORDER, **STREET)
REPAID = use(
    "modify_pending_order_payment", order(ORDER, "pending"), order_id=ORDER,
    payment_method_id=PAYPAL,
)  # fmt: skip

BAD: dict[str, tuple[Talk, set[str]]] = {
    "nobody was asked who it is": (
        CANCELLED.without("find_user_id_by_email", "Please give me", "It is olga"), {*EARLY},
    ),
    "orders before identity": (
        CANCELLED.before("Please give me", READ[1]).without("get_user_details"), {EARLY[1]},
    ),
    "profile before identity": (CANCELLED.before("Please give me", READ[0]), {EARLY[2]}),
    "an email nobody gave": (
        CANCELLED.saying("It is olga", "It is my usual one."), {"email-given-by-customer"},
    ),
    "a zip code nobody gave": (
        MODIFIED.saying("Olga Brandt, 23110", "Olga Brandt."), {"zip-given-by-customer"},
    ),
    "somebody else's order": (
        RETURNED.using("get_order_details", order(PLACED, "delivered", OTHER)),
        {"own-account-only"},
    ),
    "two customers at once": (
        MOVED.before("Both is done", *(
            use("find_user_id_by_email", OTHER, email="piet.vos@example.org"),
            use("modify_user_address", {}, user_id=OTHER, **STREET),
        )),
        {"one-customer"},
    ),
    "returned before a word": (RETURNED.without("I would return"), {"details-before-change"}),
    "moved home before a word": (
        HOME.without("To 12 Quay").saying("Correct.", "Please give the parcel to my neighbour."),
        {"details-before-profile-change", "address-read-back", "yes-before-change"},
    ),
    "an address that was not read back": (
        MOVED.saying("New address", f"I can change the address of {ORDER}, and the payment.")
        .saying("Yes to both.", "To the one of my last order, and charge PayPal."),
        {"address-read-back"},
    ),
    "a new wish is no yes": (
        CANCELLED.saying("I would cancel", f"Your order {ORDER} is on its way.")
        .saying("Yes.", "Then I want it gone."), {"yes-before-change"},
    ),
    "not before the promised approval": (
        RETURNED.saying("I agree.", "Send me a summary first, and I'll confirm."),
        {"not-before-promised-approval"},
    ),
    "an order nobody looked up": (
        CANCELLED.without("get_order_details"), {"status-checked"},
    ),
    "cancelled when delivered": (
        CANCELLED.using("get_order_details", order(ORDER, "delivered")),
        {"cancelled-while-pending"},
    ),
    "items changed twice": (
        MODIFIED.and_then(*MODIFIED.steps[-4:-1]), {"items-modified-while-pending"},
    ),
    "address after items": (
        MODIFIED.saying("I would change", f"I change {ORDER}: the lamp to {WARM}, and the address "
                        "to 12 Quay Lane. Are these all?").before("The lamp is changed", LATER),
        {"address-modified-while-pending"},
    ),
    "payment after items": (
        MODIFIED.saying("I would change", f"I change {ORDER}: the lamp to {WARM}, and the payment "
                        "to PayPal. Are these all?").before("The lamp is changed", REPAID),
        {"payment-modified-while-pending"},
    ),
    "returned when pending": (
        RETURNED.using("get_order_details", order(PLACED, "pending")), {"returned-when-delivered"},
    ),
    "exchanged when pending": (
        EXCHANGED.using("get_order_details", order(PLACED, "processed")),
        {"exchanged-when-delivered"},
    ),
    "another reason": (
        CANCELLED.using("cancel_pending_order", reason="too expensive"),
        {"cancel-reason-accepted"},
    ),
    "a reason nobody spoke of": (
        CANCELLED.saying("I want to cancel", "Cancel my order, please.")
        .saying("I would cancel", f"I would cancel {ORDER}, refund to your card. Shall I?"),
        {"cancel-reason-asked"},
    ),
    "paid as before": (
        MOVED.using("modify_pending_order_payment", payment_method_id=CARD),
        {"payment-changed-to-another"},
    ),
    "the same lamp again": (
        MODIFIED.using("modify_pending_order_items", new_item_ids=[LAMP]),
        {"modified-to-another-option"},
    ),
    "a bowl for a lamp": (
        MODIFIED.after("get_product_details", use("get_product_details", BOWLS, product_id="8009"))
        .using("modify_pending_order_items", new_item_ids=[BOWL]), {"modified-to-same-product"},
    ),
    "a lamp that is gone": (
        MODIFIED.using("modify_pending_order_items", new_item_ids=[GONE]),
        {"modified-to-available-item"},
    ),
    "exchanged for itself": (
        EXCHANGED.using("exchange_delivered_order_items", new_item_ids=[LAMP]),
        {"exchanged-for-another-option"},
    ),
    "a bowl in exchange": (
        EXCHANGED.after("get_product_details", use("get_product_details", BOWLS, product_id="8009"))
        .using("exchange_delivered_order_items", new_item_ids=[BOWL]),
        {"exchanged-for-same-product"},
    ),
    "exchanged for what is gone": (
        EXCHANGED.using("exchange_delivered_order_items", new_item_ids=[GONE]),
        {"exchanged-for-available-item"},
    ),
    "no reminder of the other items": (
        MODIFIED.saying("I would change", f"I would change the lamp in {ORDER} to {WARM}. Yes?"),
        {"modify-all-items-at-once"},
    ),
    "no reminder before an exchange": (
        EXCHANGED.saying("I would exchange", f"I exchange the lamp of {PLACED} for {COLD}. Yes?"),
        {"exchange-all-items-at-once"},
    ),
    "refunded elsewhere": (
        RETURNED.using("return_delivered_order_items", payment_method_id=PAYPAL),
        {"refund-to-original-or-gift-card"},
    ),
    "a gift card of nobody": (
        RETURNED.using("return_delivered_order_items", payment_method_id="gift_card_9"),
        {"refund-to-existing-gift-card"},
    ),
    "two calls in a turn": (
        CANCELLED.without("get_user_details", "get_order_details")
        .before("I would cancel", Step("assistant", "", (*READ[0].calls, *READ[1].calls))),
        {"one-call-a-turn"},
    ),
    "words beside a call": (
        CANCELLED.saying("get_order_details", "Let me see."), {"call-or-speak"},
    ),
}  # fmt: skip
"""Conversation to the rules that it breaks, and no others."""
BAD_NOW = BAD | {
    "said, not done": (HOME.and_then(agent(HUMAN)), {"transfer-said-and-done"}),
    "done, not said": (HANDED_OVER.saying(HUMAN, "Goodbye."), {"transfer-sentence"}),
}
