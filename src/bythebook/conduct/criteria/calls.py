"""The functions a predicate can call, each with the check of its arguments.

    rows('T', col=EXPR..)     the rows of a table whose columns equal the given values
    row('T', KEY)             one row; a missing one is a failed lookup
    sum len any all min max abs sorted      as in Python, over numbers, texts and truth values
    in_force('family', day=EXPR, product=.., jurisdiction=.., segment=..)   id of the one edition
    approved(ROW, [field+], 'role')    an approval of exactly these terms holds now
and the pure functions of the company's policy, typed by their annotations.
"""

import ast
import inspect
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, get_type_hints

from bythebook.conduct.criteria import shapes as of
from bythebook.conduct.criteria.shapes import Shape
from bythebook.conduct.criteria.vocabulary import APPROVALS, Function
from bythebook.conduct.documents import Scope as DocumentScope
from bythebook.conduct.schema import spec_of

if TYPE_CHECKING:
    from bythebook.conduct.criteria.check import Checker


def check(checker: "Checker", node: ast.Call) -> Shape:
    """The shape of what a call gives."""
    if not isinstance(node.func, ast.Name):
        raise checker.wrong("only named functions are called", node=node)
    name = node.func.id
    for part in (*node.args, *(k for k in node.keywords if k.arg is None)):
        if isinstance(part, ast.Starred | ast.keyword):
            raise checker.wrong("arguments are written out one by one", node=node)
    if name in CALLS:
        return CALLS[name](checker, node)
    own = checker.scope.vocabulary.functions
    if name not in own:
        raise checker.unknown("function", name, checker.scope.vocabulary.calls())
    checker.scope.uses.functions.add(name)
    return _own(checker, node, own[name])


def _literal(checker: "Checker", node: ast.Call, index: int, what: str) -> str:
    given = node.args[index] if index < len(node.args) else None
    if not (isinstance(given, ast.Constant) and isinstance(given.value, str)):
        raise checker.wrong(f"{what} must be written out as text", node=node)
    return given.value


def _positional(checker: "Checker", node: ast.Call, number: int, *keywords: str) -> None:
    if len(node.args) != number:
        raise checker.wrong(f"it takes {number} argument(s), not {len(node.args)}", node=node)
    _keywords(checker, node, *keywords)


def _keywords(checker: "Checker", node: ast.Call, *known: str) -> None:
    for keyword in node.keywords:
        if keyword.arg not in known:
            raise checker.unknown("keyword", str(keyword.arg), known)


def _table(checker: "Checker", node: ast.Call) -> str:
    tables = checker.scope.vocabulary.schema.tables
    table = _literal(checker, node, 0, "the table")
    if table not in tables:
        raise checker.unknown("table", table, tables)
    checker.tables.add(table)
    return table


def _rows(checker: "Checker", node: ast.Call) -> Shape:
    if checker.depth >= 2:
        raise checker.wrong("rows() nests deeper than two tables", node=node)
    table = _table(checker, node)
    _positional(checker, node, 1, *(k.arg or "" for k in node.keywords))
    row = of.row_of(checker.scope.vocabulary.schema, table)
    for keyword in node.keywords:
        name = str(keyword.arg)
        if name not in row.fields:
            raise checker.unknown(f"column of {table}", name, row.fields)
        checker.fits(row.fields[name], checker.check(keyword.value), node)
    return Shape("rows", item=row)


def _row(checker: "Checker", node: ast.Call) -> Shape:
    table = _table(checker, node)
    _positional(checker, node, 2)
    key = checker.present(node.args[1], "None is no key")
    if not key.is_text and key.kind != "any":
        raise checker.wrong(f"{key.noun} is no key", node=node)
    if isinstance(node.args[1], ast.Constant):
        literal = (table, str(node.args[1].value))
        checker.scope.uses.keys.setdefault(literal, checker.scope.where)
    return of.row_of(checker.scope.vocabulary.schema, table)


def _items(checker: "Checker", node: ast.Call, *kinds: str) -> Shape:
    """The shape of the items of a call's one sequence; they must be of these kinds."""
    many = checker.present(node.args[0], "None has no items")
    item = of.item_of(many)
    if item is None:
        raise checker.wrong(f"{many.noun} has no items", node=node)
    return _one(checker, node, item, *kinds)


def _one(checker: "Checker", node: ast.Call, item: Shape, *kinds: str) -> Shape:
    if item.optional:
        raise checker.wrong("an item may be None", "leave it out by `if ... is not None`", node)
    if item.kind not in (*kinds, "any"):
        raise checker.wrong(f"{item.noun} cannot stand here", node=node)
    return item


def _sum(checker: "Checker", node: ast.Call) -> Shape:
    _positional(checker, node, 1)
    _items(checker, node, "int", "bool")
    return of.INT


def _len(checker: "Checker", node: ast.Call) -> Shape:
    _positional(checker, node, 1)
    many = checker.present(node.args[0], "None has no length")
    if of.item_of(many) is None and not many.is_text:
        raise checker.wrong(f"{many.noun} has no length", node=node)
    return of.INT


def _quantifier(checker: "Checker", node: ast.Call) -> Shape:
    _positional(checker, node, 1)
    _items(checker, node, "bool")
    return of.BOOL


def _extreme(checker: "Checker", node: ast.Call) -> Shape:
    found: list[Shape] = []
    if len(node.args) == 1:
        _keywords(checker, node, "default")
        found = [_items(checker, node, "int", "str", "day")]
        found += [checker.check(keyword.value) for keyword in node.keywords]
    else:
        _keywords(checker, node)
        found = [_one(checker, node, checker.check(a), "int", "str", "day") for a in node.args]
    if not found:
        raise checker.wrong("it takes a sequence or several values", node=node)
    for other in found[1:]:
        if other.kind != "none":
            checker.fits(found[0], other, node, ordered=True)
    return of.merge_all(of.replace(s, values=()) for s in found)


def _abs(checker: "Checker", node: ast.Call) -> Shape:
    _positional(checker, node, 1)
    return checker.number(node.args[0], node)


def _sorted(checker: "Checker", node: ast.Call) -> Shape:
    _positional(checker, node, 1, "reverse")
    for keyword in node.keywords:
        checker.truth(keyword.value)
    return Shape("list", item=_items(checker, node, "int", "str", "day"))


def _in_force(checker: "Checker", node: ast.Call) -> Shape:
    editions = checker.scope.vocabulary.editions
    family = _literal(checker, node, 0, "the document family")
    if family not in editions:
        raise checker.unknown("document family", family, editions)
    _positional(checker, node, 1, "day", *DocumentScope.__struct_fields__)
    if not any(keyword.arg == "day" for keyword in node.keywords):
        raise checker.wrong("say in force when: day=...", node=node)
    for keyword in node.keywords:
        given = checker.present(keyword.value, f"{keyword.arg} is needed")
        checker.fits(of.DAY if keyword.arg == "day" else of.STR, given, node)
    checker.scope.uses.families.add(family)
    return Shape("str", values=tuple(edition.id for edition in editions[family]))


def _approved(checker: "Checker", node: ast.Call) -> Shape:
    _positional(checker, node, 3)
    row = checker.present(node.args[0], "None cannot be approved")
    if row.kind != "row":
        raise checker.wrong(f"{row.noun} is no row of a table", node=node)
    try:
        terms = ast.literal_eval(node.args[1])
    except ValueError:
        terms = None
    if not isinstance(terms, list | tuple):
        raise checker.wrong("the terms must be written out: ['amount', ...]", node=node)
    check_consent(checker, row.table, terms, _literal(checker, node, 2, "the role"))
    checker.subjects[node] = row.table
    return of.BOOL


def check_consent(checker: "Checker", table: str, terms: object, by: str) -> None:
    """Terms must be exactly those that the table declares; the role one that approvals know."""
    schema = checker.scope.vocabulary.schema
    if APPROVALS not in schema.tables:
        raise checker.wrong(f"there is no table {APPROVALS!r}, so nothing is ever approved")
    declared = schema.terms.get(table)
    if not declared:
        hint = f"tables with terms: {', '.join(sorted(schema.terms)) or 'none'}"
        raise checker.wrong(f"rows of {table!r} declare no terms to approve", hint)
    given = tuple(terms) if isinstance(terms, list | tuple) else ()
    for name in given:
        if name not in declared:
            raise checker.unknown(f"term of {table}", str(name), declared)
    if set(given) != set(declared) or len(given) != len(declared):
        missing = ", ".join(sorted(set(declared) - set(given))) or "each one once"
        raise checker.wrong(f"an approval binds all terms of {table}; missing here: {missing}")
    checker.fits(of.of_spec(schema.tables[APPROVALS]["by"]), of.of_constant(by), ast.Constant(by))
    checker.tables.add(APPROVALS)


def _own(checker: "Checker", node: ast.Call, run: Function) -> Shape:
    """A function of the company's policy, typed by its annotations."""
    signature, hints = inspect.signature(run), get_type_hints(run, include_extras=True)
    try:
        bound = signature.bind(*node.args, **{str(k.arg): k.value for k in node.keywords})
    except TypeError as error:
        raise checker.wrong(f"{error}: {run.__name__}{signature}", node=node) from None
    for name, value in bound.arguments.items():
        wanted, given = _shape_of(hints, name), checker.check(value)
        if given.optional and not wanted.optional and wanted.kind != "any":
            hint = f"say `{ast.unparse(value)} is not None and ...` first"
            raise checker.wrong(f"{name} may be None", hint, node)
        if not _covers(wanted, given):
            checker.fits(wanted, given, node)
    return _shape_of(hints, "return")


def _shape_of(hints: Mapping[str, object], name: str) -> Shape:
    try:
        return of.of_spec(spec_of(hints[name])) if name in hints else of.ANY
    except TypeError:
        return of.ANY


def _covers(wanted: Shape, given: Shape) -> bool:
    """A row may have more columns than the function reads."""
    if wanted.kind == "record" and given.kind in of.RECORDS:
        return set(wanted.fields) <= set(given.fields)
    if wanted.kind == "list" and given.kind in of.SEQUENCES and wanted.item is not None:
        return _covers(wanted.item, of.item_of(given) or of.ANY)
    return False


CALLS: dict[str, Callable[["Checker", ast.Call], Shape]] = {
    "rows": _rows,
    "row": _row,
    "sum": _sum,
    "len": _len,
    "any": _quantifier,
    "all": _quantifier,
    "min": _extreme,
    "max": _extreme,
    "abs": _abs,
    "sorted": _sorted,
    "in_force": _in_force,
    "approved": _approved,
}
