"""Predicates: what they mean, and everything that is refused when they load."""

import re

import pytest

from bythebook.conduct.criteria import shapes as of
from bythebook.conduct.criteria.check import Scope
from bythebook.conduct.criteria.predicate import Compiler
from bythebook.conduct.criteria.state import State
from bythebook.errors import ContentError
from tests.conduct.criteria.acacia import (
    WORDS,
    Advice,
    Allocation,
    Fee,
    Line,
    Move,
    opening,
)  # fmt: skip

FACTS = {"lines": [["R1", "I1", 4000], ["R2", "I2", 3000]], "cap": 6000, "who": {"id": "RSV-OP"}}
ROWS = (
    Allocation("AL-1", "RF-0917", "R1", "I1", 4000),
    Allocation("AL-2", "RF-0917", "R2", "I2", 3000),
    Advice("ADV-1", "RF-0917", (Line("R1", "I1", 4000),)),
    Move("MV-1", "RQ-1", "APP-31", 6000, "sent"),
    Fee("FEE-1", "CASE-Q03", 700, "2025-09-25"),
)


def compiler() -> Compiler:
    scope = Scope(WORDS, of.of_constant(FACTS), "criteria.yaml:7 (P1, require)")
    return Compiler.of(scope, FACTS)


def value(source: str, t: int = 3) -> object:
    start = opening(*ROWS)
    state = State(start.tables, start.day, start.clock)
    state.t = t
    return compiler().value(source).test(state)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("row('reserves', 'RSV-OP').balance >= 2000", True),
        ("row('reserves', facts.who.id).balance - 6500", 0),
        ("sum(a.amount for a in rows('allocations', file='RF-0917'))", 7000),
        ("sum(a.amount == 4000 for a in rows('allocations'))", 1),
        ("len(rows('allocations', receipt='R1', target='I2'))", 0),
        ("all(any(a.amount == n for a in rows('allocations', receipt=r, target=i))"
         " for r, i, n in facts.lines)", True),
        ("facts.lines[1][2] // 7 % 10 * -1", -8),
        ("facts.lines[-1][0]", "R2"),
        ("('R1', 'I1', 4000) in facts.lines", True),
        ("[a.receipt for a in rows('allocations')] == ['R1', 'R2']", True),
        ("sorted([n for r, i, n in facts.lines])", (3000, 4000)),
        ("sorted((a.id for a in rows('allocations')), reverse=True)[0]", "AL-2"),
        ("[1] + [x * 2 for x in [2, 3]]", (1, 4, 6)),
        ("max([x.amount for x in rows('fees', case='other')], default=0)", 0),
        ("min([m.total_cap for m in rows('mandates')] + [facts.cap])", 5000),
        ("abs(min(3, -4))", 4),
        ("len('abc') == 3 and not 1 > 2", True),
        ("'a' + 'b' in 'cab'", True),
        ("t", 3),
        ("day", "2025-09-25"),
        ("1 if row('reserves', 'RSV-OP').open else 2", 1),
        ("row('reserve_moves', 'MV-1').settled is None", True),
        ("any(m.settled is not None and m.settled < 5 for m in rows('reserve_moves'))", False),
        ("[m.settled - 1 for m in rows('reserve_moves') if m.settled is not None]", ()),
        ("fee_for('assisted') + fee_for(row('requests', 'RQ-1').route)", 2000),
        ("any(owes(f, cap=600) for f in rows('fees'))", True),
        ("in_force('remittance-precedence', day='2025-09-14')", "RP-2"),
        ("in_force('remittance-precedence', day='2025-09-15')", "RP-3"),
        ("in_force('fees', day=day, jurisdiction='UK')", "FE-UK"),
        ("any(x in a.lines for a in rows('advices') for x in row('advices', 'ADV-1').lines)", True),
        ("0 < row('mandates', 'MND-7').total_cap <= 5000", True),
    ],
)  # fmt: skip
def test_a_predicate_means_what_python_means(source: str, expected: object) -> None:
    assert value(source) == expected


def test_a_sequence_is_a_tuple_even_if_it_is_written_with_brackets() -> None:
    assert value("[1, 2] == (1, 2)") is True
    assert value("[x for x in [1]]") == (1,)


def test_the_day_moves_on_at_midnight() -> None:
    assert value("day", t=8 * 60 + 15) == "2025-09-25"
    assert value("day", t=8 * 60 + 16) == "2025-09-26"


REFUSED = [
    ("row('reservs', 'X').balance > 1", "no table 'reservs'", "did you mean 'reserves'?"),
    ("row('reserves', 'RSV-OP').balnce > 1", "no field of row('reserves', 'RSV-OP') 'balnce'",
     "did you mean 'balance'?"),
    ("rows('fees', cse='x') == 1", "no column of fees 'cse'", "did you mean 'case'?"),
    ("row(facts.who.id, 'X').balance > 1", "the table must be written out as text", ""),
    ("suum(1)", "no function 'suum'", "did you mean 'sum'?"),
    ("factz.cap == 1", "no name 'factz'", "did you mean 'facts'?"),
    ("facts.cup == 1", "no field of facts 'cup'", "did you mean 'cap'?"),
    ("sum == 1", "sum is a function; call it: sum(...)", ""),
    ("row('applications', 'APP-31').status == 'aproved'", "'aproved' is none of the values",
     "did you mean 'approved'?"),
    ("row('applications', 'APP-31').status in ['draft', 'open'] and "
     "row('applications', 'APP-31').status in ['opne']", "'opne' is none of the values", ""),
    ("rows('applications', status='done')", "'done' is none of the values", "known: "),
    ("row('reserves', 'RSV-OP').balance == '2000'", "a number is compared with '2000'", ""),
    ("row('reserves', 'RSV-OP').open == 1", "a truth value is compared with a number", ""),
    ("row('fees', 'F').day == '25 Sept'", "'25 Sept' is not a day (YYYY-MM-DD)", ""),
    ("row('reserve_moves', 'M').settled < 5", "it may be None, and None is neither more nor less",
     "say `row('reserve_moves', 'M').settled is not None and ...` first"),
    ("row('reserve_moves', 'M').settled < 5 and row('reserve_moves', 'M').settled is not None",
     "it may be None", ""),
    ("row('reserve_moves', 'M').settled is not None or row('reserve_moves', 'M').settled < 5",
     "it may be None", ""),
    ("(row('reserve_moves', 'M').settled is not None and t > 1) or"
     " row('reserve_moves', 'M').settled < 5", "it may be None", ""),
    ("all(m.settled < 5 for m in rows('reserve_moves') if m.settled is not None) and"
     " all(m.settled < 5 for m in rows('reserve_moves'))", "it may be None", ""),
    ("(1 if row('reserve_moves', 'M').settled is not None else 2) == 1 and"
     " row('reserve_moves', 'M').settled < 5", "it may be None", ""),
    ("row('reserve_moves', 'M').settled + 1 == 2", "None cannot be added", ""),
    ("row('reserves', 'R') == None", "None is compared by ==", "use `is None`"),
    ("1 is 1", "`is` compares with None only", ""),
    ("'a' * 1000000000 == 'b'", "'a' stands where a number belongs", ""),
    ("'%s' % 3 == '3'", "stands where a number belongs", ""),
    ("3 + 'a' == 4", "a number cannot be added to 'a'", ""),
    ("True + 1 == 2", "a truth value cannot be added", ""),
    ("1 / 2 == 0", "this operator is not part of the language", "// divides integers"),
    ("2 ** 9 == 512", "this operator is not part of the language", ""),
    ("~1 == 0", "this operator is not part of the language", ""),
    ("row('reserves', 'RSV-OP').balance >= 20.5", "20.5 is a float", ""),
    ("b'x' == 1", "it is no constant of the language", ""),
    ("(lambda: 1)() == 1", "only named functions are called", ""),
    ("(lambda: True)", "Lambda is not part of the language", ""),
    ("f'{t}' == '1'", "JoinedStr is not part of the language", ""),
    ("{1: 2} == {1: 2}", "Dict is not part of the language", ""),
    ("(x := 1) == 1", "NamedExpr is not part of the language", ""),
    ("facts.who.id.upper() == 'X'", "only named functions are called", ""),
    ("facts.__class__ == 1", "leading underscore", ""),
    ("row('reserves', 'R').__class__ == 1", "leading underscore", ""),
    ("__import__('os') == 1", "no function '__import__'", ""),
    ("any(_x == 1 for _x in [1])", "names with a leading underscore are closed", ""),
    ("any(t == 1 for t in [1])", "'t' already means something here", ""),
    ("any(rows == 1 for rows in [1])", "'rows' already means something here", ""),
    ("t.x == 1", "a number has no fields", ""),
    ("rows('fees')[0].amount == 1", "rows stand in no order", ""),
    ("facts.lines[9] == 1", "there are 2 items", ""),
    ("facts.lines[t] == 1", "only a literal number can stand in brackets", ""),
    ("facts.lines[0:1] == 1", "only a literal number can stand in brackets", ""),
    ("all(r == 'x' for r, i in facts.lines)", "3 items for 2 names", ""),
    ("all(x == 1 for x in 3)", "a number cannot be walked", ""),
    ("1 in 2", "nothing is in a number", ""),
    ("'R9' in [1, 2]", "'R9' is compared with a number", ""),
    ("sum('abc')", "'abc' has no items", ""),
    ("sum(['a'])", "'a' cannot stand here", ""),
    ("sum(m.settled for m in rows('reserve_moves'))", "an item may be None",
     "leave it out by `if ... is not None`"),
    ("any([1])", "a number cannot stand here", ""),
    ("min()", "it takes a sequence or several values", ""),
    ("sum([1], [2])", "it takes 1 argument(s), not 2", ""),
    ("max([1], key=2)", "no keyword 'key'", "known: default"),
    ("sum(*[[1]])", "arguments are written out one by one", ""),
    ("sorted(rows('fees')) == []", "a row of fees cannot stand here", ""),
    ("len(3)", "a number has no length", ""),
    ("row('reserves', 3).balance == 1", "a number is no key", ""),
    ("row('requests', 'R') == row('reserves', 'R')", "is compared with a row of reserves", ""),
    ("row('reserves', 'R').balance and True", "a number stands where true or false belongs", ""),
    ("1 if t else 2", "a number stands where true or false belongs", ""),
    ("(1 if t == 1 else 'a') == 1", "it is a number or 'a'", ""),
    ("any(any(any(a.amount == b.amount == c.amount for c in rows('fees')) for b in rows('fees'))"
     " for a in rows('fees'))", "rows() nests deeper than two tables", ""),
    ("any(a.amount == c.amount for a in rows('fees') for b in [f for f in rows('fees')]"
     " for c in rows('fees'))", "rows() nests deeper than two tables", ""),
    ("in_force('remitance', day=day) == 'RP-2'", "no document family 'remitance'",
     "did you mean 'remittance-precedence'?"),
    ("in_force('fees') == 'FE-US'", "say in force when: day=...", ""),
    ("in_force('fees', day=day, region='US') == 'FE-US'", "no keyword 'region'", ""),
    ("in_force('fees', day=day) == 'FE-FR'", "'FE-FR' is none of the values", ""),
    ("approved(row('reserves', 'R'), ['balance'], 'customer')", "declare no terms to approve",
     "tables with terms: advices, requests"),
    ("approved(row('advices', 'A'), ['file'], 'customer')", "missing here: lines", ""),
    ("approved(row('advices', 'A'), ['file', 'line'], 'customer')", "no term of advices 'line'",
     "did you mean 'lines'?"),
    ("approved(row('advices', 'A'), ['file', 'lines'], 'custommer')", "'custommer' is none of",
     "did you mean 'customer'?"),
    ("approved(row('advices', 'A'), facts.lines, 'customer')", "the terms must be written out", ""),
    ("approved(facts.who, ['file', 'lines'], 'customer')", "is no row of a table", ""),
    ("fee_for('fast') == 1", "'fast' is none of the values", ""),
    ("fee_for() == 1", "missing a required argument: 'route'", ""),
    ("fee_for(row('reserves', 'R').balance) == 1", "is compared with", ""),
    ("1 ==", "is no expression: ", ""),
    ("import os", "is no expression", ""),
    ("", "an expression is needed", ""),
    ("row('reserves', 'R').balance", "is a number, not true or false", ""),
]  # fmt: skip


@pytest.mark.parametrize(("source", "what", "hint"), REFUSED)
def test_what_cannot_be_meant_is_refused_when_it_loads(source: str, what: str, hint: str) -> None:
    with pytest.raises(ContentError) as caught:
        compiler().truth(source)
    assert what in caught.value.what
    assert hint in caught.value.hint
    assert caught.value.where == "criteria.yaml:7 (P1, require)"


@pytest.mark.parametrize(
    "guarded",
    [
        "m.settled is not None and m.settled < 5",
        "m.settled is None or m.settled < 5",
        "not (m.settled is None) and m.settled < 5",
        "not (m.settled is None or m.amount > 3) and m.settled < 5",
        "(m.settled if m.settled is not None else 0) < 5",
        "(0 if m.settled is None else m.settled) < 5",
        "(m.settled < 5) if m.settled is not None else False",
    ],
)
def test_a_guard_in_the_same_chain_or_conditional_makes_a_nullable_comparable(guarded: str) -> None:
    assert compiler().truth(f"all({guarded} for m in rows('reserve_moves'))").tables


def test_the_tables_an_expression_reads_are_known_before_it_runs() -> None:
    source = (
        "approved(row('advices', 'A'), ['file', 'lines'], 'customer') or 1 == len(rows('fees'))"
    )
    assert compiler().truth(source).tables == {"advices", "approvals", "fees"}


def test_a_deeply_nested_expression_is_an_error_and_no_crash() -> None:
    with pytest.raises(ContentError, match=re.escape("is no expression")):
        compiler().truth("(" * 400 + "1" + ")" * 400)
