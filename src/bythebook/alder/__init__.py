"""Alder Payments, the company that ships with bythebook: what its desks can do.

Its data (documents, procedures, parameters, base tables) stand in `company/`. A new desk is one
module in `desks/` and one line here.
"""

from bythebook.alder.desks.accounts import accounts
from bythebook.alder.desks.applications import applications
from bythebook.alder.desks.approvals import approvals
from bythebook.alder.desks.batches import batches
from bythebook.alder.desks.cards import cards
from bythebook.alder.desks.cases import cases
from bythebook.alder.desks.chargebacks import chargebacks
from bythebook.alder.desks.collections import collections
from bythebook.alder.desks.corridors import corridors
from bythebook.alder.desks.countersigns import countersigns
from bythebook.alder.desks.debits import debits
from bythebook.alder.desks.debtors import debtors
from bythebook.alder.desks.delivery import delivery
from bythebook.alder.desks.disputes import disputes
from bythebook.alder.desks.escrow import escrow
from bythebook.alder.desks.evidence import evidence
from bythebook.alder.desks.filings import filings
from bythebook.alder.desks.financing import financing
from bythebook.alder.desks.floats import floats
from bythebook.alder.desks.fx import fx
from bythebook.alder.desks.gates import gates
from bythebook.alder.desks.guarantees import guarantees
from bythebook.alder.desks.invoicing import invoicing
from bythebook.alder.desks.ledger import ledger
from bythebook.alder.desks.limits import limits
from bythebook.alder.desks.matching import matching
from bythebook.alder.desks.merchants import merchants
from bythebook.alder.desks.milestones import milestones
from bythebook.alder.desks.notices import notices
from bythebook.alder.desks.parties import parties
from bythebook.alder.desks.payouts import payouts
from bythebook.alder.desks.pricing import pricing
from bythebook.alder.desks.proofs import proofs
from bythebook.alder.desks.receipts import receipts
from bythebook.alder.desks.refunds import refunds
from bythebook.alder.desks.releases import releases
from bythebook.alder.desks.remittances import remittances
from bythebook.alder.desks.reserves import reserves
from bythebook.alder.desks.rights import rights
from bythebook.alder.desks.screening import screening
from bythebook.alder.desks.sellers import sellers
from bythebook.alder.desks.settlements import settlements
from bythebook.alder.desks.statements import statements
from bythebook.alder.desks.takings import takings
from bythebook.alder.desks.taxes import taxes
from bythebook.alder.desks.terminals import terminals
from bythebook.alder.desks.treasury import treasury
from bythebook.alder.desks.wages import wages
from bythebook.alder.desks.wallets import wallets
from bythebook.alder.desks.watch import watch
from bythebook.tool import Desk

DESKS: tuple[Desk, ...] = (
    accounts,
    approvals,
    cases,
    parties,
    applications,
    evidence,
    receipts,
    releases,
    remittances,
    reserves,
    cards,
    chargebacks,
    countersigns,
    disputes,
    merchants,
    refunds,
    batches,
    fx,
    limits,
    payouts,
    settlements,
    treasury,
    guarantees,
    rights,
    corridors,
    delivery,
    invoicing,
    screening,
    notices,
    watch,
    escrow,
    milestones,
    proofs,
    sellers,
    taxes,
    filings,
    gates,
    matching,
    statements,
    wallets,
    wages,
    floats,
    debits,
    collections,
    ledger,
    financing,
    debtors,
    pricing,
    terminals,
    takings,
)
