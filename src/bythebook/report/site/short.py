"""Expressions of rules as short names: what a reader sees beside a state line.

row('reserves', 'RSV-201').balance                       RSV-201 balance
sum(f.amount for f in rows('fees', case='CASE-5521'))    sum of fees amount
row('mandates', 'MND-44').total_cap                      MND-44 total cap
"""

import ast

LONGEST = 72
OPERATORS: dict[type[ast.operator], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.FloorDiv: "//",
    ast.Mod: "mod",
}


def short(source: str, *, but: str = "") -> str:
    """The short name of an expression of the rules' language, or the expression, cut.

    `but`: a name that goes without saying.
    """
    tree = ast.parse(source.strip(), mode="eval").body
    text = " ".join(word for word in _short(tree).split() if word != but)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def _short(node: ast.expr) -> str:
    match node:
        case ast.Constant(value=int() as number) if not isinstance(number, bool):
            return f"{number:,}"
        case ast.Constant(value=str(text)):
            return text
        case ast.Attribute(value=ast.Name(id="facts"), attr=name):
            return name.replace("_", " ")
        case ast.Attribute(value=owner, attr=name):
            return f"{_short(owner)} {name.replace('_', ' ')}"
        case ast.BinOp(left=left, op=op, right=right):
            return f"{_short(left)} {OPERATORS.get(type(op), '?')} {_short(right)}"
        case ast.Tuple(elts=parts) | ast.List(elts=parts):
            return ", ".join(map(_short, parts))
        case ast.Call(func=ast.Name(id=name), args=args):
            return _call(node, name, args)
    return ast.unparse(node)


def _call(node: ast.Call, name: str, args: list[ast.expr]) -> str:
    match name, args:
        case "row", [_, key]:
            return _short(key)
        case "rows", [ast.Constant(value=table), *_]:
            return str(table).replace("_", " ")
        case (("sum" | "min" | "max"), [ast.GeneratorExp() | ast.ListComp() as walk, *_]):
            return f"{_OF[name]} {_walk(walk)}"
        case "len", [inner]:
            return f"number of {_short(inner)}"
        case (("min" | "max"), [*_]):
            return f"{_OF[name]} {', '.join(map(_short, args))}"
    return ast.unparse(node)


_OF = {"sum": "sum of", "min": "least of", "max": "most of"}


def _walk(walk: ast.GeneratorExp | ast.ListComp) -> str:
    """`fees amount` for `f.amount for f in rows('fees', ..)`."""
    loop = walk.generators[-1]
    named = isinstance(loop.target, ast.Name) and isinstance(walk.elt, ast.Attribute)
    if named and isinstance(walk.elt, ast.Attribute) and isinstance(loop.target, ast.Name):
        own = isinstance(walk.elt.value, ast.Name) and walk.elt.value.id == loop.target.id
        if own:
            return f"{_short(loop.iter)} {walk.elt.attr.replace('_', ' ')}"
    return f"{_short(walk.elt)} of {_short(loop.iter)}"
