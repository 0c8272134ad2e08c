"""criteria.yaml: everything that is refused, with file, line and criterion."""

import pytest

from bythebook.conduct.criteria import build, load, read
from bythebook.errors import ContentError
from tests.conduct.criteria.acacia import WORDS, criteria, opening

HEAD = """facts: {cap: 6000}
criteria:
- id: G1
  kind: goal
  says: "The file is closed."
  finally: row('receipt_files', 'RF-0917').status == 'closed'
- id: P1
  kind: process
  says: "Fees stay under the cap."
  source: {family: fees, clause: "1.2"}
"""
FRAME = """- {id: F1, kind: protection, says: "Nothing else.", frame: {except: [fees]}}
"""


def refused(pattern: str, *, head: str = HEAD, tail: str = FRAME) -> ContentError:
    with pytest.raises(ContentError) as caught:
        read(head + pattern + "\n" + tail, WORDS, where="criteria.yaml")
    return caught.value


@pytest.mark.parametrize(
    ("pattern", "what", "where", "hint"),
    [
        ("  alwys: t > 0", "criterion P1: Object contains unknown field `alwys`",
         "criteria.yaml:11", "did you mean 'always'?"),
        ("  always: t > 0\n  never: call('pay')", "criterion 'P1' has two patterns: always, never",
         "criteria.yaml:7", "exactly one of: finally, always"),
        ("", "criterion 'P1' has no pattern", "criteria.yaml:7", "exactly one of:"),
        ("  never: call('pay')\n  require: t > 0", "`never` has no field 'require'",
         "criteria.yaml:7 (P1, require)", "known: "),
        ("  whenever: call('pay')", "`whenever` needs `require`",
         "criteria.yaml:7 (P1, whenever)", ""),
        ("  before: call('pay')", "`before` needs `needs`", "criteria.yaml:7 (P1, before)", ""),
        ("  after: call('pay')", "`after` needs `then`", "criteria.yaml:7 (P1, after)", ""),
        ("  count: call('pay')", "`count` needs `at_least`, `at_most` or both",
         "criteria.yaml:7 (P1, count)", ""),
        ("  count: call('pay')\n  at_least: 3\n  at_most: 2", "nothing can happen so many times",
         "criteria.yaml:7 (P1, count)", ""),
        ("  count: call('pay')\n  at_most: -1", "nothing can happen so many times",
         "criteria.yaml:7 (P1, count)", ""),
        ("  always: sum(f.amount for f in rows('fees')) <= 20.5", "20.5 is a float",
         "criteria.yaml:7 (P1, always)", ""),
        ("  after: call('pay')\n  then: call('wait')\n  within: 1.5", "1.5 is a float",
         "criteria.yaml:13", ""),
        ("  after: call('pay')\n  then: call('wait')\n  within: -1", "cannot be negative",
         "criteria.yaml:7 (P1, within)", ""),
        ("  always: facts.cap == 6000", "it reads nothing that could change",
         "criteria.yaml:7 (P1, always)", ""),
        ("  always: t > 0\n  at: call", "Invalid enum value 'call'", "criteria.yaml:12", ""),
        ("  never: call('payy')", "no tool 'payy'", "criteria.yaml:7 (P1, never)",
         "did you mean 'pay'?"),
        ("  never: cal('pay')", "no kind of event 'cal'", "criteria.yaml:7 (P1, never)",
         "did you mean 'call'?"),
        ("  never: write('fee')", "no table 'fee'", "criteria.yaml:7 (P1, never)",
         "did you mean 'fees'?"),
        ("  never: event('settled')", "no scheduled event 'settled'",
         "criteria.yaml:7 (P1, never)", "did you mean 'settlement'?"),
        ("  never: customer('approve')", "no customer tool 'approve'",
         "criteria.yaml:7 (P1, never)", "did you mean 'approve_request'?"),
        ("  never: message('bot')", "no speaker 'bot'", "criteria.yaml:7 (P1, never)", ""),
        ("  never: call(pay)", "`call(pay)` is no selector", "criteria.yaml:7 (P1, never)",
         "write KIND('NAME') [as v] [where PREDICATE]"),
        ("  never: call('pay') as t", "'t' already means something here",
         "criteria.yaml:7 (P1, never)", ""),
        ("  never: call('pay') as p where p.args.amout > 3", "no field of p.args 'amout'",
         "criteria.yaml:7 (P1, never)", "did you mean 'amount'?"),
        ("  never: call('pay') where p.args.amount > 3", "no name 'p'",
         "criteria.yaml:7 (P1, never)", ""),
        ("  never: attempt('pay') as p where p.args.amount > 3", "it may be None",
         "criteria.yaml:7 (P1, never)", "say `p.args.amount is not None and ...` first"),
        ("  never: write('fees') as w where w.old.amount > 3", "it may be None, and None has no",
         "criteria.yaml:7 (P1, never)", "say `w.old is not None and ...` first"),
        ("  before: call('pay') as x\n  needs: call('wait') as x\n  match: x.t > 0",
         "two selectors bind 'x'", "criteria.yaml:7 (P1, match)", "rename one of them"),
        ("  authorised: write('reserve_moves') as x\n  request: x.new.request\n"
         "  table: requests\n  terms: [amount]\n  by: customer", "missing here: fee, route, tot",
         "criteria.yaml:7 (P1, terms)", ""),
        ("  authorised: write('reserve_moves') as x\n  request: x.new.amount\n"
         "  table: requests\n  terms: [route, amount, fee, total_cap]\n  by: customer",
         "`x.new.amount` is a number", "criteria.yaml:7 (P1, request)", "the id of a row of req"),
        ("  authorised: write('reserve_moves') as x\n  request: x.new.request\n"
         "  table: reqests\n  terms: [route, amount, fee, total_cap]\n  by: customer",
         "no table 'reqests'", "criteria.yaml:7 (P1, table)", "did you mean 'requests'?"),
        ("  authorised: write('reserve_moves') as x\n  request: x.new.request\n"
         "  table: requests\n  terms: [route, amount, fee, total_cap]\n  by: nobody",
         "'nobody' is none of the values", "criteria.yaml:7 (P1, terms)", "known: agent, cust"),
    ],
)  # fmt: skip
def test_a_rule_that_cannot_be_meant(pattern: str, what: str, where: str, hint: str) -> None:
    error = refused(pattern)
    assert what in error.what
    assert error.where == where
    assert hint in error.hint


FINE = "  never: call('pay')"


def test_a_task_without_a_frame_or_with_two_is_refused() -> None:
    assert "this one has no frame" in refused(FINE, tail="").what
    two = FRAME + FRAME.replace("F1", "F2")
    assert "this one has 2 frames: F1, F2" in refused(FINE, tail=two).what


def test_a_frame_that_cannot_be_meant() -> None:
    empty = refused(FINE, tail=FRAME.replace("[fees]", "[]"))
    assert (empty.where, "an empty list" in empty.what) == ("criteria.yaml:12 (F1, frame)", True)
    table = refused(FINE, tail=FRAME.replace("fees", "fes"))
    assert table.hint == "did you mean 'fees'?"
    assert table.where == "criteria.yaml:12 (F1, frame.except[0])"
    assert (
        "no field of r" in refused(FINE, tail=FRAME.replace("fees", '"fees where r.x == 1"')).what
    )
    assert "is no exc" in refused(FINE, tail=FRAME.replace("fees", '"fees, reserves"')).what
    field = refused(FINE, tail=FRAME.replace("except", "but"))
    assert "criterion F1: Object contains unknown field `but`" in field.what


def test_heads_that_cannot_be_meant() -> None:
    twice = refused(FINE, head=HEAD.replace("id: P1", "id: G1"))
    assert (twice.what, twice.where) == ("criterion 'G1' stands here twice", "criteria.yaml:7")
    kind = refused(FINE, head=HEAD.replace("kind: process", "kind: proces"))
    assert "criterion P1: Invalid enum value 'proces'" in kind.what
    cite = refused(FINE, head=HEAD.replace("""  source: {family: fees, clause: "1.2"}\n""", ""))
    assert cite.what == "criterion 'P1' cites no clause"
    says = refused(FINE, head=HEAD.replace('says: "Fees stay under the cap."', 'says: ""'))
    assert "says in words" in says.what
    facts = refused(FINE, head=HEAD.replace("cap: 6000", "cap-1: 6000"))
    assert "'cap-1' cannot be written behind a dot" in facts.what
    rate = refused(FINE, head=HEAD.replace("6000", "0.5"))
    assert rate.where == "criteria.yaml:1"


def test_an_empty_list_of_criteria_is_refused() -> None:
    with pytest.raises(ContentError, match="there are no criteria"):
        read("criteria: []", WORDS, where="criteria.yaml")


def test_a_citation_is_checked_by_whoever_knows_the_documents() -> None:
    def cites(family: str, clause: str) -> None:
        raise ContentError(f"no clause {clause!r}", hint="known: 1.1")

    with pytest.raises(ContentError) as caught:
        read(HEAD + FINE + "\n" + FRAME, WORDS, where="criteria.yaml", cites=cites)
    assert str(caught.value) == "criteria.yaml:7 (P1, source): no clause '1.2'\n  known: 1.1"


def test_a_missing_file_is_named(tmp_path: object) -> None:
    with pytest.raises(ContentError, match="no such file"):
        load(__import__("pathlib").Path(str(tmp_path)) / "criteria.yaml", WORDS)


def test_a_literal_key_exists_at_the_start_or_is_announced() -> None:
    later = "finally: row('fees', 'FEE-1').amount == 5"
    with pytest.raises(ContentError) as caught:
        criteria(later).check_keys(opening().tables)
    assert caught.value.what == "fees has no row 'FEE-1'"
    assert caught.value.where.endswith("(R0, finally)")
    criteria(later, facts="{appears: [FEE-1]}").check_keys(opening().tables)


def test_a_literal_key_is_compared_whole() -> None:
    whole = "finally: row('reserves', 'RSV-OP').balance == 5"
    criteria(whole).check_keys(opening().tables)
    for part in ("RSV-O", "RSV-OP2", "rsv-op"):
        with pytest.raises(ContentError, match=f"reserves has no row '{part}'"):
            criteria(whole.replace("RSV-OP", part)).check_keys(opening().tables)


def test_criteria_can_be_built_again_from_edited_data_expression_by_expression() -> None:
    first = criteria(
        "whenever: call('pay') as p where p.args.amount > 3\nrequire: len(rows('fees')) <= 1",
        "always: sum(f.amount for f in rows('fees')) <= 10",
    )
    found = [(e.path, e.source) for rule in first.rules for e in rule.expressions]
    assert found == [
        (("criteria", 0, "whenever"), "p.args.amount > 3"),
        (("criteria", 0, "require"), "len(rows('fees')) <= 1"),
        (("criteria", 1, "always"), "sum(f.amount for f in rows('fees')) <= 10"),
    ]
    for rule in first.rules:
        for one in rule.expressions:
            _, number, field = one.path
            data = {**first.data, "criteria": [dict(raw) for raw in first.data["criteria"]]}
            assert data["criteria"][number][field] == one.prefix + one.source
            data["criteria"][number][field] = one.prefix + one.source.replace(">", ">=")
            again = build(data, WORDS, where="mutant")
            assert (again.sha == first.sha) == (">" not in one.source)


def test_comments_and_layout_do_not_change_the_hash_of_the_rules() -> None:
    text = HEAD + FINE + "\n" + FRAME
    assert read("# a word\n\n" + text, WORDS, where="a").sha == read(text, WORDS, where="b").sha
