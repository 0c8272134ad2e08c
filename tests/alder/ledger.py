"""Where money lies: an account of the whole company, kept from its rows alone.

`where_money_lies` puts every cent in one place. Money that went outside counts at the place it went
to, money that came from outside as owed to where it came from; so whatever a desk does, the sum of
a currency over all places stays what it was. A row that no longer counts (returned, recalled,
reversed) has given its money back.

Not money of this account: receipts, invoices and credit memos (a buyer's money lies with a file,
and allocating moves none of it), provisional credits to cardholders (Alder's own, from a book that
is not here), netted refunds (they come out of a later settlement), what is only asked, quoted,
drafted or set, and what only repeats a move that two balances show.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from bythebook.conduct.world import Row

Tables = Mapping[str, Mapping[str, Row]]
Entries = Iterator[tuple[str, int]]
"""Currency, cents."""


def where_money_lies(tables: Tables) -> Counter[tuple[str, str]]:
    """Cents by place and currency."""
    found: Counter[tuple[str, str]] = Counter()
    for table, entries in PLACES.items():
        for row in tables.get(table, {}).values():
            for currency, cents in entries(row, tables):
                found[table, currency] += cents
    return found


def total(tables: Tables) -> dict[str, int]:
    """Cents by currency over all places: the same for ever."""
    sums: Counter[str] = Counter()
    for (_, currency), cents in where_money_lies(tables).items():
        sums[currency] += cents
    return {currency: cents for currency, cents in sums.items() if cents}


def _currency(tables: Tables, key: str) -> str:
    """The currency of an account, reserve or collateral account."""
    for table in ("accounts", "reserves", "collateral_accounts"):
        row: Any = tables.get(table, {}).get(key)
        if row is not None:
            return str(row.currency)
    raise AssertionError(f"money lies at {key!r}, which is no place")


def _balance(row: Any, tables: Tables) -> Entries:
    yield row.currency, row.balance


def _collateral(row: Any, tables: Tables) -> Entries:
    """What was booked ahead of its arrival is not there yet."""
    yield row.currency, row.balance - row.provisional


def _reserve_move(row: Any, tables: Tables) -> Entries:
    """Money that left the reserve book for an application, on its way or there."""
    if row.request is not None and row.status in ("pending", "settled"):
        yield _currency(tables, row.source), row.amount


def _payout(row: Any, tables: Tables) -> Entries:
    if row.status in ("released", "recalling", "settled"):
        yield row.currency, row.amount


def _delivery(row: Any, tables: Tables) -> Entries:
    """The promised amount; what is sent on top of it is part of the fee."""
    if row.status in ("dispatched", "settled"):
        promise: Any = tables["promises"][row.promise]
        yield _currency(tables, row.account), min(row.gross, promise.net)


def _refund(row: Any, tables: Tables) -> Entries:
    """An instant refund, with the cardholder or back at the card desk."""
    if row.route == "instant" and row.status in ("released", "returned"):
        merchant: Any = tables["merchants"][row.merchant]
        yield _currency(tables, merchant.settlement_account), row.amount


def _settlement(row: Any, tables: Tables) -> Entries:
    """The scheme gives the deducted part back to the merchant."""
    if row.status == "filed":
        merchant: Any = tables["merchants"][row.merchant]
        yield _currency(tables, merchant.settlement_account), -row.deducted


def _expected_credit(row: Any, tables: Tables) -> Entries:
    """The network has paid it; between `received` and `posted` it lies at the settlements desk."""
    if row.status == "posted":
        yield row.currency, -row.amount


def _conversion(row: Any, tables: Tables) -> Entries:
    """The dealer gave what was bought and has what was sold, and the fee."""
    if row.status == "done":
        quote: Any = tables["fx_quotes"][row.quote]
        yield quote.sell, row.sell_amount + row.fee
        yield quote.buy, -row.buy_amount


def _collection(row: Any, tables: Tables) -> Entries:
    if row.status == "collected":
        yield _currency(tables, row.account), row.amount


def _fee(row: Any, tables: Tables) -> Entries:
    if row.status == "taken":
        yield _currency(tables, row.account), row.amount


def _fee_credit(row: Any, tables: Tables) -> Entries:
    fee: Any = tables["fees"][row.fee]
    yield _currency(tables, fee.account), -row.amount


def _escrow_order(row: Any, tables: Tables) -> Entries:
    """What is still held for the maker; what is released lies on the maker's account."""
    yield row.currency, row.held


def _buffer_return(row: Any, tables: Tables) -> Entries:
    if row.status == "received":
        buffer: Any = tables["escrow_buffers"][row.buffer]
        yield buffer.currency, -row.amount


def _float_move(row: Any, tables: Tables) -> Entries:
    """What was remitted lies with the territory."""
    if row.kind == "remittance":
        float_: Any = tables["tax_floats"][row.tax_float]
        yield float_.currency, row.amount


def _wage_line(row: Any, tables: Tables) -> Entries:
    if row.status in ("sent", "paid"):
        yield "USD", row.amount


PLACES: Mapping[str, Callable[[Any, Tables], Entries]] = {
    "accounts": _balance,
    "reserves": _balance,
    "collateral_accounts": _collateral,
    "reserve_moves": _reserve_move,
    "payouts": _payout,
    "deliveries": _delivery,
    "refunds": _refund,
    "settlements": _settlement,
    "expected_credits": _expected_credit,
    "conversions": _conversion,
    "standing_collections": _collection,
    "fees": _fee,
    "fee_credits": _fee_credit,
    "escrow_orders": _escrow_order,
    "escrow_buffers": _balance,
    "buffer_returns": _buffer_return,
    "tax_floats": _balance,
    "float_moves": _float_move,
    "wage_lines": _wage_line,
}
