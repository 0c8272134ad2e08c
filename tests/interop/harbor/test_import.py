"""Tasks of Harbor with rubric judges as deliverables tasks; what is lost is named."""

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from bythebook.deliverables.task import DeliverableTask, load_task
from bythebook.interop.harbor.incoming import Terms, bring
from bythebook.task import Content
from tests.cli.judging import about
from tests.interop.harbor.theirs import FILES, JUDGE, TASK_TOML, Said, theirs
from tests.model_server import Asked, ModelServer, Say, Use

Tell = Callable[..., Said]
ID = "quarter-report"


def brought(folder: Path, to: Path, **files: str | None) -> DeliverableTask:
    bring(theirs(folder, **files), to, Terms())
    return load_task(Content([to]), ID)


# --- what is carried over -----------------------------------------------------------------------


def test_what_a_judge_is_asked_becomes_the_rubric(tmp_path: Path) -> None:
    task = brought(tmp_path / "theirs", tmp_path / "mine")

    told = [(item.id, item.says, item.level, item.decided_by) for item in task.rubric.items]
    assert told == [
        ("total", "Names the total, 3.", "core", "judge"),
        ("R02", "Reads well. (passes with 4 or more of 5)", "auxiliary", "judge"),
        ("R03", "This does not hold: Invents figures.", "important", "judge"),
    ]
    assert task.rubric.items[0].truth == "You are strict.\n\nIt is asked of: report.md."
    assert (task.file.title, task.file.domain) == ("A report on the quarter", "finance")
    assert (task.wants, task.file.tags) == ({"report.md": "text"}, ("harbor", "report"))


def test_files_come_along_where_the_image_has_them(tmp_path: Path) -> None:
    task = brought(tmp_path / "theirs", tmp_path / "mine")

    files = {
        path.relative_to(task.folder).as_posix(): path.read_text()
        for part in ("inputs", "reference")
        for path in (task.folder / part).rglob("*") if path.is_file()
    }  # fmt: skip
    assert files == {
        "inputs/data/sales.csv": FILES["environment/data/sales.csv"],
        "reference/report.md": FILES["solution/report.md"],
    }
    assert task.prompt.startswith("Write /app/report.md on data/sales.csv.\n")
    assert "canary" not in task.prompt


def test_what_is_not_carried_over_is_named(tmp_path: Path, say: Tell) -> None:
    code, out, err = say("import", "harbor", theirs(tmp_path / "theirs"), "--to", "mine", "--json")

    (one,) = json.loads(out)["tasks"]
    assert (code, one["task"], one["items"], one["reference"]) == (0, ID, 3, True)
    assert one["lost"] == [
        "environment/Dockerfile: FROM python:3.12",
        "environment/Dockerfile: RUN pip install pandas openpyxl",
        "solution/solve.sh: a script, which was not run",
        "tests/test.sh: what a script tests is not tested here",
    ]
    assert [line.partition(":")[0] for line in one["changed"][:2]] == ["R02", "R03"]
    notes = Path(one["folder"], "import.md").read_text()
    assert all(line in notes and line in err for line in (*one["lost"], *one["changed"]))


def test_an_imported_task_is_played_and_judged(tmp_path: Path, say: Tell) -> None:
    say("import", "harbor", theirs(tmp_path / "theirs"), "--to", "mine")
    mine = ("--content", "mine")
    code, _, err = say(
        "run", "deliverables", "--agent", "reference", "--runs", "1", "--task", ID, "--to", "runs",
        *mine,
    )  # fmt: skip
    assert code == 0, err

    def speak(asked: Asked) -> Say:
        mark = "fail" if about(asked, "R02") else "pass"
        place = {"at": "report.md#line=3", "reads": "The total is 3."}
        ending = "satisfied" if mark == "pass" else "not satisfied"
        told = {"because": f"Read. Therefore: {ending}.", "evidence": [place], "verdict": mark}
        return Say(calls=(Use("give_verdict", told),))

    with ModelServer(speak) as server:
        words = ("judge", "runs", "--judge", "model:local:x", "--base-url", f"{server.url}/v1")
        code, out, err = say(*words, *mine, "--json")
    assert code == 0, err
    (run,) = json.loads(out)["scores"]["runs"]
    assert run["score"] == pytest.approx(8 / 9)


def test_an_exported_task_comes_back_as_it_was(
    exported: Path, own: DeliverableTask, tmp_path: Path
) -> None:
    found = bring(exported, tmp_path, Terms())
    again = load_task(Content([tmp_path]), own.id)

    assert (again.hash, found.lost, found.changed) == (own.hash, (), ())


@pytest.mark.parametrize(
    ("weights", "levels"),
    [
        ((5, 3, 1), "core important auxiliary"),
        ((3, 1, 3), "important auxiliary important"),
        ((2, 2, 2), "important important important"),
        ((10, 8, 1), "core core auxiliary"),
        ((1, 0.5, 0.2), "core important auxiliary"),
    ],
)
def test_weights_become_the_nearest_levels(
    tmp_path: Path, weights: tuple[float, ...], levels: str
) -> None:
    asked = "".join(f'[[criterion]]\ndescription = "Says {w}."\nweight = {w}\n' for w in weights)
    head = '[judge]\nfiles = ["/app/report.md"]\n'
    task = brought(tmp_path / "theirs", tmp_path / "mine", **{
        "tests__quality.toml": head + asked
    })  # fmt: skip
    assert " ".join(item.level for item in task.rubric.items) == levels


def test_folders_of_judges_weigh_what_reward_toml_says(tmp_path: Path) -> None:
    """facts has 2/3 of the whole and two items, style 1/3 and one."""
    reward = '[[reward]]\nname = "reward"\nweights = { facts = 2, style = 1 }\n'
    ask = '[judge]\nfiles = ["report.md"]\n[[criterion]]\ndescription = "{}"\n'
    more = '[[criterion]]\ndescription = "C"\nweight = 4\n'
    task = brought(
        tmp_path / "theirs", tmp_path / "mine",
        **{
            "tests__quality.toml": None,
            "tests__facts__judge.toml": ask.format("A") + more,
            "tests__style__judge.toml": ask.format("B"),
            "tests__reward.toml": reward,
        },
    )  # fmt: skip
    # Shares: A 2/3 * 1/5, C 2/3 * 4/5, B 1/3.
    told = {item.says: item.level for item in task.rubric.items}
    assert told == {"A": "auxiliary", "C": "core", "B": "important"}


def test_a_rubric_in_json_is_read_too(tmp_path: Path) -> None:
    rubric = [
        {"criterion": "Has a title.", "points": 3},
        {"text": "Is long.", "points": -1},
        "Ends.",
    ]
    task = brought(
        tmp_path / "theirs", tmp_path / "mine",
        **{"tests__quality.toml": None, "tests__rubric.json": json.dumps({"rubrics": rubric})},
    )  # fmt: skip
    told = [(item.says, item.level) for item in task.rubric.items]
    assert told == [("Has a title.", "important"), ("Ends.", "auxiliary")]
    assert "'Is long.' has the weight -1: left out" in (task.folder / "import.md").read_text()


@pytest.mark.parametrize(
    ("recipe", "inputs"),
    [
        ("WORKDIR /app\nCOPY data/sales.csv .\n", {"sales.csv"}),
        ("WORKDIR /app\nCOPY data/sales.csv in/all.csv\n", {"in/all.csv"}),
        ('WORKDIR /desk\nCOPY --chown=1:1 ["data/*.csv", "/desk/"]\n', {"sales.csv"}),
        ("WORKDIR /app\nWORKDIR sub\nCOPY data /app/sub/x/../y\n", {"y/sales.csv"}),
        ("FROM y\nCOPY . /app/\n", {"data/sales.csv"}),
        ("WORKDIR /app\nCOPY data/ /srv/\n", {"task.md"}),
        ("WORKDIR /app\nCOPY data/ results/\n", {"task.md"}),
        ("WORKDIR /app\nCOPY --from=build /x /app/x\nADD https://x.org/a.csv .\n", {"task.md"}),
        ("WORKDIR /app\nRUN cat <<EOF > a.csv\nCOPY data/ .\nEOF\n", {"task.md"}),
    ],
)
def test_inputs_are_what_the_recipe_copies_into_the_working_folder(
    tmp_path: Path, recipe: str, inputs: set[str]
) -> None:
    task = brought(
        tmp_path / "theirs", tmp_path / "mine", environment__Dockerfile="FROM x\n" + recipe
    )
    found = {p.relative_to(task.inputs).as_posix() for p in task.inputs.rglob("*") if p.is_file()}
    assert found == inputs


@pytest.mark.parametrize(
    ("files", "more", "wants"),
    [
        ({}, ["--wants", "a.docx", "--wants", "b.xlsx"], {"a.docx": "docx", "b.xlsx": "xlsx"}),
        ({"task.toml": 'artifacts = ["/app/x.pdf", "/logs"]\n' + TASK_TOML}, [], {"x.pdf": "pdf"}),
        (
            {
                "tests__quality.toml": JUDGE.replace('files = ["/app/report.md"]\n', ""),
                "solution__report.md": None,
                "instruction.md": "Read data/sales.csv, then write `out/My report.docx`.",
            },
            [],
            {"My report.docx": "docx"},
        ),
    ],
)
def test_wanted_files_are_found_where_a_task_names_them(
    tmp_path: Path, say: Tell, files: dict[str, str], more: list[str], wants: dict[str, str]
) -> None:
    code, _, err = say("import", "harbor", theirs(tmp_path / "t", **files), "--to", "mine", *more)
    assert code == 0, err
    assert load_task(Content([Path("mine")]), ID).wants == wants


# --- what does not read -------------------------------------------------------------------------


BROKEN: dict[str, tuple[dict[str, str | None], str]] = {
    "no task.toml": ({"task.toml": None}, "no task.toml is in it"),
    "broken task.toml": ({"task.toml": "[task\n"}, "task.toml: does not read as TOML"),
    "a table that is none": ({"task.toml": "task = 3\n"}, "`task` is no table"),
    "steps": ({"task.toml": f"{TASK_TOML}\n[[steps]]\nname = 'a'\n"}, "it has several steps"),
    "no domain": ({"task.toml": "[task]\nname = 'a/b'\n"}, "--domain names one of medical"),
    "no instruction": ({"instruction.md": None}, "instruction.md: no such file"),
    "empty instruction": ({"instruction.md": "# canary\n"}, "nothing is asked in it"),
    "no rubric": ({"tests__quality.toml": None}, "no rubric judge is in its tests (tests/judge.md"),
    "broken judge": ({"tests__quality.toml": "[judge\n"}, "quality.toml: does not read as TOML"),
    "no criteria": ({"tests__quality.toml": "[judge]\ncriterion = []\n"}, "criterion"),
    "wrong weight": (
        {"tests__quality.toml": JUDGE.replace("5.0", "'much'")},
        "Expected `float`, got `str`",
    ),
    "no template": ({"tests__judge.md": None}, "tests/judge.md: no such file"),
    "template above": (
        {"tests__quality.toml": JUDGE.replace('"judge.md"', '"../../../etc/passwd"')},
        "leads out of the folder",
    ),
    "source above": ({"environment__Dockerfile": "FROM x\nCOPY ../../secret ./\n"}, "leads out of"),
    "template from the root": (
        {"tests__quality.toml": JUDGE.replace('"judge.md"', '"/etc/passwd"')},
        "leads out of the folder",
    ),
    "no weight": ({"tests__quality.toml": JUDGE.replace("5.0", "nan")}, "nan is no weight"),
    "less than none": ({"tests__quality.toml": JUDGE.replace("5.0", "-1")}, "-1.0 is no"),
    "unknown type": ({"tests__quality.toml": JUDGE.replace('"likert"', '"likart"')}, "'likert'?"),
    "no description": (
        {"tests__quality.toml": JUDGE.replace('"Reads well."', '" "')},
        "a criterion of it has no description",
    ),
    "wrong keywords": (
        {"task.toml": TASK_TOML.replace('["report"]', "3")},
        "Expected `array`, got `int` (at keywords)",
    ),
    "no id": ({"task.toml": TASK_TOML.replace("acme/Quarter_Report", "acme/...")}, "is no id of a"),
    "nothing wanted": (
        {
            "tests__quality.toml": JUDGE.replace('files = ["/app/report.md"]\n', ""),
            "solution__report.md": None,
            "instruction.md": "Think.",
        },
        "--wants report.docx",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", BROKEN)
def test_a_task_that_does_not_read_is_refused_and_nothing_is_written(
    tmp_path: Path, say: Tell, name: str
) -> None:
    files, says = BROKEN[name]
    code, _, err = say("import", "harbor", theirs(tmp_path / "theirs", **files), "--to", "mine")

    assert (code, says in err) == (2, True), err
    assert [path.name for path in tmp_path.iterdir()] == ["theirs"]


@pytest.mark.parametrize("kind", ["file", "folder", "inside", "pipe"])
def test_links_and_pipes_are_refused(tmp_path: Path, say: Tell, kind: str) -> None:
    folder = theirs(tmp_path / "theirs")
    (tmp_path / "secret.txt").write_text("secret")
    odd = folder / "environment" / "odd"
    if kind == "pipe":
        os.mkfifo(odd)
    else:
        leads = {"file": tmp_path / "secret.txt", "folder": tmp_path, "inside": Path("data")}
        odd.symlink_to(leads[kind])
    code, _, err = say("import", "harbor", folder, "--to", "mine")

    says = "is neither a file nor a folder" if kind == "pipe" else "links are not followed"
    assert (code, says in err, "environment/odd" in err) == (2, True, True), err
    assert not Path("mine").exists()


def test_of_several_tasks_those_that_read_come_in(tmp_path: Path, say: Tell) -> None:
    theirs(tmp_path / "many" / "a")
    other = TASK_TOML.replace("Quarter_Report", "other")
    theirs(tmp_path / "many" / "b", **{"tests__quality.toml": None, "task.toml": other})
    code, out, err = say("import", "harbor", "many", "--to", "mine", "--json")

    told = json.loads(out)
    assert (code, [one["task"] for one in told["tasks"]], len(told["problems"])) == (2, [ID], 1)
    assert "many/b/tests: no rubric judge is in its tests" in err
    code, _, err = say("import", "harbor", "many", "--to", "mine", "--id", "x")
    assert (code, "--id is for one task" in err) == (2, True)


def test_a_task_that_is_there_is_not_written_over(tmp_path: Path, say: Tell) -> None:
    folder = theirs(tmp_path / "theirs")
    say("import", "harbor", folder, "--to", "mine")
    code, _, err = say("import", "harbor", folder, "--to", "mine")
    assert (code, "there is a task already" in err) == (2, True)
    assert say("import", "harbor", folder, "--to", "mine", "--id", "other-one")[0] == 0
