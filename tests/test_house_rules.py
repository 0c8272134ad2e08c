"""The house rules, as facts about this tree; CONTRIBUTING.md says them in prose.

Each rule is a function from the tree's root to its offences, one line each: `place: what`. PLANTED
holds, for every rule, a small tree that breaks it, so a rule that has gone blind fails here too.
"""

import ast
import io
import re
import subprocess
import sys
import tokenize
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
CODE = ("src", "tests", "authoring", "bench", "docs")
TEXT = (
    *CODE,
    "company",
    "tasks",
    "packs",
    ".ci",
    "*.md",
    "*.toml",
    "Makefile",
    "LICENSE",
    ".gitignore",
)
WORLD = ("src/bythebook/conduct", "src/bythebook/alder")

MAX_LINES = 400
BUDGETS = {
    "lint.mccabe.max-complexity": 8,
    "lint.pylint.max-args": 6,
    "lint.pylint.max-statements": 30,
}

Rule = Callable[[Path], Iterator[str]]


def files(root: Path, places: tuple[str, ...], suffix: str = "") -> Iterator[Path]:
    """Every file at or under the places, in order, caches left out."""
    for place in places:
        for top in sorted(root.glob(place)):
            for path in sorted(top.rglob(f"*{suffix}")) if top.is_dir() else [top]:
                if path.is_file() and "__pycache__" not in path.parts:
                    yield path


def place(root: Path, path: Path, line: int) -> str:
    return f"{path.relative_to(root)}:{line}"


def nodes(root: Path, places: tuple[str, ...]) -> Iterator[tuple[Path, ast.AST]]:
    for path in files(root, places, ".py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"), str(path))):
            yield path, node


# --- size ---------------------------------------------------------------------------------------


def files_are_short(root: Path) -> Iterator[str]:
    for path in files(root, CODE, ".py"):
        lines = len(path.read_text("utf-8").splitlines())
        if lines > MAX_LINES:
            yield f"{place(root, path, lines)}: more than {MAX_LINES} lines"


def functions_are_short_and_simple(root: Path) -> Iterator[str]:
    """Asks ruff, deaf to `noqa` and to pyproject.toml, so that neither can raise a budget."""
    command = [sys.executable, "-m", "ruff", "check", "--isolated", "--ignore-noqa", "--no-cache"]
    command += ["--select", "C901,PLR0913,PLR0915", "--output-format", "concise", "--quiet"]
    for name, budget in BUDGETS.items():
        command += ["--config", f"{name}={budget}"]
    answer = subprocess.run(
        [*command, "src"], cwd=root, capture_output=True, text=True, check=False
    )
    assert answer.returncode in (0, 1), answer.stderr
    yield from answer.stdout.splitlines()


# --- names --------------------------------------------------------------------------------------

GRAB_BAG = re.compile(
    r"(?:^|_)(?:utils?|utilities|help[e]rs?|managers?|base|misc|commons?|handlers?)(?:_|$)"
)


def names_say_what_a_thing_is(root: Path) -> Iterator[str]:
    """No grab-bag word in the name of a folder, a module or a class."""
    for path in files(root, CODE, ".py"):
        for name in path.relative_to(root).with_suffix("").parts:
            if GRAB_BAG.search(name):
                yield f"{place(root, path, 1)}: {name}"
    for path, node in nodes(root, CODE):
        if isinstance(node, ast.ClassDef):
            words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", node.name).lower()
            if GRAB_BAG.search(words):
                yield f"{place(root, path, node.lineno)}: class {node.name}"


# --- the world replays to the byte --------------------------------------------------------------


def alder_counts_in_whole_numbers(root: Path) -> Iterator[str]:
    """No float literal, no `float`, and no `/`, which makes a float of two integers."""
    for path, node in nodes(root, ("src/bythebook/alder",)):
        match node:
            case ast.Constant(value=float()) | ast.Name(id="float"):
                yield f"{place(root, path, node.lineno)}: {ast.unparse(node)}"
            case ast.BinOp(op=ast.Div()) | ast.AugAssign(op=ast.Div()):
                yield f"{place(root, path, node.lineno)}: {ast.unparse(node)}"


UNREPEATABLE = re.compile(
    r"time\.(?:time|time_ns|sleep|localtime|gmtime|ctime|asctime|strftime)$"
    r"|datetime\.(?:datetime\.(?:now|utcnow|today)|date\.today)$"
    r"|random\.(?!Random$)|numpy\.random\b|uuid\.uuid|secrets\.|os\.urandom$"
)


def origins(tree: ast.AST) -> dict[str, str]:
    """What each imported name stands for: `{"dt": "datetime.datetime"}`."""
    known: dict[str, str] = {}
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                for name in names:
                    first = name.name.partition(".")[0]
                    known[name.asname or first] = name.name if name.asname else first
            case ast.ImportFrom(module=str(module), names=names, level=0):
                known |= {name.asname or name.name: f"{module}.{name.name}" for name in names}
    return known


def spelled_out(node: ast.AST, known: Mapping[str, str]) -> str:
    """A name or attribute with its import put in full; empty for anything else."""
    if not isinstance(node, ast.Name | ast.Attribute):
        return ""
    first, dot, rest = ast.unparse(node).partition(".")
    return known[first] + dot + rest if first in known else ""


def the_world_knows_no_wall_clock_and_no_chance(root: Path) -> Iterator[str]:
    for path in files(root, WORLD, ".py"):
        tree = ast.parse(path.read_text("utf-8"), str(path))
        known = origins(tree)
        for node in ast.walk(tree):
            name = spelled_out(node, known)
            if UNREPEATABLE.match(name):
                yield f"{place(root, path, getattr(node, 'lineno', 0))}: {name}"
            match node:
                case ast.Call(args=[]) if spelled_out(node.func, known) == "random.Random":
                    yield f"{place(root, path, node.lineno)}: random.Random without a seed"


def values_are_frozen(root: Path) -> Iterator[str]:
    """A class made directly on msgspec.Struct says `frozen=True`; those made on it inherit it."""
    for path, node in nodes(root, ("src",)):
        if isinstance(node, ast.ClassDef):
            direct = any(ast.unparse(b) in ("Struct", "msgspec.Struct") for b in node.bases)
            if direct and "frozen=True" not in map(ast.unparse, node.keywords):
                yield f"{place(root, path, node.lineno)}: class {node.name} is not frozen"


# --- words in files -----------------------------------------------------------------------------

WAIVER = re.compile(r"#\s*(?:noqa|type:\s*ignore)\b")
WAIVER_WITH_REASON = re.compile(
    r"#\s*(?:noqa:\s*[A-Z]+[0-9]+(?:,\s*[A-Z]+[0-9]+)*|type:\s*ignore\[[\w, -]+\])"
    r"\s*(?:#|-|:|--)\s*\w+\W+\w+"
)


def waivers_give_their_reason(root: Path) -> Iterator[str]:
    """`# noqa: E501 - a table reads better whole`: the code, then at least two words of why."""
    for path in files(root, CODE, ".py"):
        for token in tokenize.generate_tokens(io.StringIO(path.read_text("utf-8")).readline):
            waives = token.type == tokenize.COMMENT and WAIVER.search(token.string)
            if waives and not WAIVER_WITH_REASON.search(token.string):
                yield f"{place(root, path, token.start[0])}: {token.string}"


# The classes of one letter keep this file from finding itself.
TIED_TO_A_MACHINE = re.compile(
    r"(?<![\w.])/(?:wor[k]|roo[t]|tmp/tea[m]|opt/pyp[i])\b"
    r"|pyp[i]\.org|pythonhoste[d]|registry\.npmj[s]|proxy\.golan[g]|UV_INDE[X]|--(?:extra-)?index-ur[l]"
)


def texts_name_no_machine_and_no_registry(root: Path) -> Iterator[str]:
    for path in files(root, TEXT):
        for number, line in enumerate(path.read_text("utf-8", "replace").splitlines(), 1):
            if found := TIED_TO_A_MACHINE.search(line):
                yield f"{place(root, path, number)}: {found.group()}"


GUIDES = ("README.md", "CONTRIBUTING.md")
FENCE = re.compile(r"^```.*?^```", re.M | re.S)
NAMED_PATH = re.compile(r"`((?:[\w.*-]+/)+[\w.*-]*)`")
MADE_BY_RUNNING = ("runs/", ".venv/", "dist/", "site/")


def guides_name_only_places_that_exist(root: Path) -> Iterator[str]:
    """A path in backticks stands from the root or from the package; `*` stands for anything."""
    for path in files(root, GUIDES):
        prose = FENCE.sub("", path.read_text("utf-8"))
        for name in NAMED_PATH.findall(prose):
            known = any(any(top.glob(name.rstrip("/"))) for top in (root, root / "src/bythebook"))
            if not known and not name.startswith(MADE_BY_RUNNING):
                yield f"{path.name}: {name}"


def links_lead_somewhere(root: Path) -> Iterator[str]:
    for path in files(root, ("*.md", "docs"), ".md"):
        prose = FENCE.sub("", path.read_text("utf-8"))
        for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", prose):
            outside = target.startswith(("http:", "https:", "mailto:"))
            if not outside and not (path.parent / target).exists():
                yield f"{path.relative_to(root)}: {target}"


def guides_name_only_words_of_make(root: Path) -> Iterator[str]:
    targets = set(re.findall(r"^([a-z]+):", (root / "Makefile").read_text("utf-8"), re.M))
    for path in files(root, GUIDES):
        for word in re.findall(r"(?:`|^)make ([a-z]+)", path.read_text("utf-8"), re.M):
            if word not in targets:
                yield f"{path.name}: make {word}"


# --- the facts ----------------------------------------------------------------------------------

ALDER = "src/bythebook/alder/desk.py"
WORLD_FILE = "src/bythebook/conduct/world.py"

PLANTED: dict[Rule, tuple[dict[str, str], int]] = {
    files_are_short: ({"src/long.py": "x = 1\n" * (MAX_LINES + 1)}, 1),
    functions_are_short_and_simple: (
        {
            "src/long.py": "def f():\n" + "    print()\n" * 31,
            "src/wide.py": "def f(a, b, c, d, e, f, g):  # noqa: PLR0913 - not heard\n    pass\n",
            "src/deep.py": "def f(a):\n" + "    if a:\n        print()\n" * 8,
        },
        3,
    ),
    names_say_what_a_thing_is: (
        {
            "src/string_utils.py": "",
            "tests/common/x.py": "",
            "src/a.py": "class RunManager: ...\nclass BaseTool: ...\nclass Baseline: ...\n",
        },
        4,
    ),
    alder_counts_in_whole_numbers: (
        {ALDER: "rate = 0.5\ncents = int(float('1'))\nhalf = 3 / 2\nhalf /= 2\nwhole = 3 // 2\n"},
        4,
    ),
    the_world_knows_no_wall_clock_and_no_chance: (
        {
            WORLD_FILE: "import random, time\nfrom datetime import datetime as dt, date\n"
            "from uuid import uuid4 as new\n"
            "a = dt.now()\nb = date.today()\nc = time.time()\nd = new()\n"
            "e = random.choice('ab')\nf = random.Random()\n"
            "fine = (random.Random(7), date(2025, 9, 25), dt.fromisoformat)\n",
        },
        6,
    ),
    values_are_frozen: (
        {
            "src/a.py": "class A(msgspec.Struct): ...\nclass B(Struct, frozen=False): ...\n"
            "class C(Struct, frozen=True): ...\nclass D(C): ...\n"
        },
        2,
    ),
    waivers_give_their_reason: (
        {
            "src/a.py": "a = 1  # noqa\nb = 2  # noqa: E501\nc = 3  # type: ignore[misc]\n"
            "d = 4  # noqa: E501 - a table reads better whole\n"
            "e = 5  # type: ignore[misc]  # the library ships no types\n"
        },
        3,
    ),
    texts_name_no_machine_and_no_registry: (
        {
            "README.md": "at /wor" + "k/main\n",
            "company/documents/a.md": "see https://pyp" + "i.org/simple\n",
            ".ci/run": "ls /roo" + "t/.cache\n",
            "docs/a.md": "the ../work/ of a roots/ and /worker\n",
        },
        3,
    ),
    guides_name_only_places_that_exist: (
        {
            "README.md": "`src/` `gone/` `src/*.py` `runs/today` \n```\n`lost/`\n```\n",
            "src/a.py": "",
        },
        1,
    ),
    links_lead_somewhere: (
        {"docs/a.md": "[here](a.md#top) [out](https://a.example) [gone](b.md)\n"},
        1,
    ),
    guides_name_only_words_of_make: (
        {"README.md": "`make demo`, `make coffee`\n", "Makefile": "demo: setup\n"},
        1,
    ),
}


@pytest.mark.parametrize("rule", PLANTED, ids=lambda rule: rule.__name__)
def test_in_this_tree(rule: Rule) -> None:
    assert list(rule(ROOT)) == []


@pytest.mark.parametrize("rule", PLANTED, ids=lambda rule: rule.__name__)
def test_it_is_seen_when_it_does_not_hold_that(rule: Rule, tmp_path: Path) -> None:
    tree, offences = PLANTED[rule]
    for name, text in tree.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8")
    found = list(rule(tmp_path))
    assert len(found) == offences, found


def test_imports_go_one_way() -> None:
    lint = Path(sys.executable).with_name("lint-imports")
    answer = subprocess.run([lint], cwd=ROOT, capture_output=True, text=True, check=False)
    assert answer.returncode == 0, answer.stdout + answer.stderr
