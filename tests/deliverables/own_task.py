"""A small task of one's own, as files: a pay workbook and a note."""

from pathlib import Path
from textwrap import dedent

import docx
import openpyxl

from bythebook.deliverables.task import DeliverableTask, load_task
from bythebook.task import Content

TASK = "biz-90-pay"

TASK_YAML = """
title: Pay of two people
domain: business
wants: {pay.xlsx: xlsx, note.docx: docx}
workflow: {product: payroll desk, user: a bookkeeper, why: it is dull}
canary: bythebook-canary-0123456789abcdef0123456789abcdef
"""

PROMPT = """
Make `pay.xlsx`: the sheet Raw of raw.xlsx first and unchanged, then a sheet **Pay** with the
columns *Employee ID* and *Gross pay* as live formulas. Write note.docx with the total gross pay
under a heading Summary.
"""

RUBRIC = """
fields:
  employee: {names: [Employee ID, No.]}
  gross: {names: [Gross pay], as: number, unit: CNY}
items:
- id: R1
  says: Gross pay is right in both rows.
  dimension: calculation
  level: core
  check: {column: {sheet: Pay, key: [employee], column: gross, table: expected/pay.csv#gross}}
- id: R2
  says: The raw sheet is unchanged and stands first.
  dimension: structure
  level: core
  check: {unchanged: {input: raw.xlsx, first: true}}
- id: R3
  says: The note names the total.
  dimension: integration
  level: important
  screen: {figures: {all: [{is: 300.75, digits: 3, near: total gross pay}]}}
  truth: 300.75, the sum of both.
- id: R4
  says: The note can be read in a minute.
  dimension: presentation
  level: auxiliary
"""

EXPECTED = "employee,gross\nE1,100.25\nE2,200.50\n"


def own_task(root: Path, *, rubric: str = RUBRIC, **files: str) -> DeliverableTask:
    """The task in a content folder of its own; `files` replace `prompt`, `task`, `expected`."""
    folder = root / "tasks" / "deliverables" / TASK
    (folder / "inputs").mkdir(parents=True, exist_ok=True)
    (folder / "expected").mkdir(exist_ok=True)
    if not (folder / "inputs" / "raw.xlsx").exists():
        # openpyxl writes the time into a file: made once, so that the task's hash stays.
        roster().save(folder / "inputs" / "raw.xlsx")
    (folder / "task.yaml").write_text(dedent(files.get("task", TASK_YAML)), "utf-8")
    (folder / "prompt.md").write_text(files.get("prompt", PROMPT), "utf-8")
    (folder / "rubric.yaml").write_text(rubric, "utf-8")
    (folder / "expected" / "pay.csv").write_text(files.get("expected", EXPECTED), "utf-8")
    return load_task(Content([root]), TASK)


def roster() -> openpyxl.Workbook:
    """A workbook with the sheet Raw."""
    made = openpyxl.Workbook()
    sheet = made.create_sheet("Raw", 0)
    made.remove(made.worksheets[1])
    for row in (["Employee ID", "Base"], ["E1", 100], ["E2", 200]):
        sheet.append(row)
    return made


def hand_over(
    folder: Path, *, gross: float = 100.25, said: str = "The total gross pay is 300.75."
) -> Path:
    """Deliverables as openpyxl and python-docx write them: values, no formulas."""
    folder.mkdir(parents=True, exist_ok=True)
    made = roster()
    pay = made.create_sheet("Pay")
    for line in (["Employee ID", "Gross pay"], ["E1", gross], ["E2", 200.5]):
        pay.append(line)
    made.save(folder / "pay.xlsx")
    note = docx.Document()
    note.add_heading("Summary", 1)
    note.add_paragraph(said)
    note.save(str(folder / "note.docx"))
    return folder
