"""A judge's tools: bounded readings of what was handed over, and of the inputs. Nothing writes.

Files are named as in locators: `report.docx`, and `input:data.xlsx` for an input. What a tool shows
stands in a fence; a tool that cannot do what was asked says so and costs nothing else.
"""

import inspect
from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from bythebook.deliverables.evidence.locate import text_of
from bythebook.deliverables.evidence.locators import INPUT, quoted
from bythebook.deliverables.evidence.model import FileEvidence
from bythebook.deliverables.judge.diff import differences
from bythebook.deliverables.judge.fence import fenced
from bythebook.deliverables.judge.search import hits
from bythebook.deliverables.judge.submission import Exhibit, Submission
from bythebook.errors import BythebookError, nearest
from bythebook.models.types import LARGEST_IMAGE, Answer, Call, Image, ToolSpec
from bythebook.models.wire import MALFORMED

MOST_SHOWN = 16_000
"""Characters of one answer."""


class Refused(Exception):
    """What was asked for cannot be shown; the judge reads why."""


class Shown(msgspec.Struct, frozen=True):
    text: str
    image: Image | None = None


class ListFiles(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    pass


class ReadText(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    file: str
    part: str = ""
    start: int = 0


class SheetRange(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    file: str
    sheet: str
    range: str


class Find(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    text: str
    file: str = ""


class DiffInput(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    sheet: str
    file: str = ""


class ViewPage(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    file: str
    page: int


class JudgeHands:
    """The tools at work on one submission, in one session."""

    def __init__(self, submission: Submission, *, pictures: bool = True) -> None:
        """`pictures`: whether this judge can be shown any."""
        self._submission, self._pictures = submission, pictures
        self.viewed: set[str] = set()
        """Files of which a picture was shown."""

    def use(self, call: Call) -> Answer:
        """What a call is answered; what it did wrong is said there."""
        tool = TOOLS.get(call.name)
        try:
            if tool is None:
                raise Refused(f"There is no tool {call.name!r}. {_maybe(call.name, TOOLS)}")
            if MALFORMED in call.args:
                raise Refused("The arguments were no JSON object.")
            shown = tool(self, call.args)
        except (Refused, BythebookError) as error:
            return Answer(call.id, str(error), ok=False)
        images = () if shown.image is None else (shown.image,)
        return Answer(call.id, fenced(shown.text), images=images)

    # --- the tools ------------------------------------------------------------------------------

    def list_files(self, asked: ListFiles) -> Shown:
        """All files, handed-over ones first, with kind, status and size."""
        lines = [_line("", file) for file in self._submission.results.index.files]
        lines += [_line(INPUT, file) for file in self._submission.inputs.index.files]
        refused = self._submission.results.index.refused
        lines += [f"{one.name}: not taken: {one.why}" for one in refused]
        return Shown(_cut("\n".join(lines) or "There is no file."))

    def read_text(self, asked: ReadText) -> Shown:
        """Read a file, or a part of it: all text with the names of its places. `part` is a PLACE
        such as `para=4-6`, `slide=2`, `page=3`, `line=1-80` or `sheet=Name`; without it the file
        from its beginning. A long text is cut; go on with `start`, the character it was cut at."""
        exhibit, name = self._file(asked.file)
        if asked.start < 0:
            raise Refused("`start` counts characters from 0.")
        text = text_of(exhibit, name, asked.part, limit=asked.start + MOST_SHOWN + 1)
        rest = text[asked.start :]
        if not rest and asked.start:
            raise Refused(f"The text ends before character {asked.start}.")
        return Shown(_cut(rest, asked.start) or "Nothing stands there.")

    def sheet_range(self, asked: SheetRange) -> Shown:
        """Cells of a sheet, such as range `A1:D20`: one line a cell with formula, stored value,
        recalculated value, number format and what a reader is shown."""
        exhibit, name = self._file(asked.file)
        place = f"{quoted(asked.sheet)}!{asked.range}"
        return Shown(_cut(text_of(exhibit, name, place, limit=MOST_SHOWN + 1)) or "Empty cells.")

    def find(self, asked: Find) -> Shown:
        """Every place where some words or a number stand, in one file or, without `file`, in all
        that was handed over. Case, kinds of spaces and thousands separators do not matter."""
        if not asked.text.strip():
            raise Refused("`text` is empty.")
        if asked.file:
            exhibit, name = self._file(asked.file)
            prefix = INPUT if exhibit is self._submission.inputs else ""
            return Shown(_cut(hits(exhibit, [name], asked.text, prefix)))
        results = self._submission.results
        return Shown(_cut(hits(results, list(results.files), asked.text)))

    def diff_input(self, asked: DiffInput) -> Shown:
        """Compare a sheet with the input sheet of the same name, or a csv with the input of the
        same name: every cell whose value or formula differs, added and missing rows too."""
        found = differences(
            self._submission.results, self._submission.inputs, asked.sheet, asked.file
        )
        return Shown(_cut(found))

    def view_page(self, asked: ViewPage) -> Shown:
        """Look at a page as a picture, counted from 1: of a document, a deck, a pdf or a picture;
        of a workbook each sheet is a page."""
        if not self._pictures:
            raise Refused("No picture can be shown to this judge. Judge by the text.")
        exhibit, name = self._file(asked.file)
        pages = exhibit.pages(name)
        if pages.status != "ok" or not pages.images:
            raise Refused(f"No picture can be shown: {pages.says or pages.status}.")
        if not 1 <= asked.page <= len(pages.images):
            raise Refused(f"{asked.file} has pages 1 to {len(pages.images)}. {pages.says}".strip())
        data = (exhibit.root / pages.paths[asked.page - 1]).read_bytes()
        if len(data) > LARGEST_IMAGE:
            raise Refused("No picture can be shown: it is too big.")
        self.viewed.add(asked.file)
        label = pages.images[asked.page - 1].label
        words = f"Page {asked.page} of {len(pages.images)} of {asked.file} ({label}) is shown."
        return Shown(words, Image("image/png", data))

    # --- files ----------------------------------------------------------------------------------

    def _file(self, name: str) -> tuple[Exhibit, str]:
        """Where a file is, and its name there. Raises `Refused`."""
        theirs = name.startswith(INPUT)
        exhibit = self._submission.inputs if theirs else self._submission.results
        short = name.removeprefix(INPUT)
        file = exhibit.files.get(short)
        if file is None:
            known = [*self._submission.results.files]
            known += [INPUT + one for one in self._submission.inputs.files]
            raise Refused(f"There is no file {name!r}. {_maybe(name, known)}")
        if file.status != "ok":
            raise Refused(f"{name} cannot be read ({file.status}). {file.says}".strip())
        return exhibit, short


Use = Callable[[JudgeHands, Mapping[str, Any]], Shown]


def _tool(kind: type[msgspec.Struct], run: Callable[[JudgeHands, Any], Shown]) -> Use:
    """A tool over the arguments as a judge wrote them, which are checked first."""

    def use(hands: JudgeHands, args: Mapping[str, Any]) -> Shown:
        try:
            asked = msgspec.convert(args, kind, strict=True)
        except msgspec.ValidationError as error:
            names = ", ".join(kind.__struct_fields__) or "none"
            raise Refused(f"{error}; arguments are: {names}") from None
        return run(hands, asked)

    return use


_KINDS: dict[str, tuple[type[msgspec.Struct], Callable[[JudgeHands, Any], Shown]]] = {
    "list_files": (ListFiles, JudgeHands.list_files),
    "read_text": (ReadText, JudgeHands.read_text),
    "sheet_range": (SheetRange, JudgeHands.sheet_range),
    "find": (Find, JudgeHands.find),
    "diff_input": (DiffInput, JudgeHands.diff_input),
    "view_page": (ViewPage, JudgeHands.view_page),
}
TOOLS: dict[str, Use] = {name: _tool(kind, run) for name, (kind, run) in _KINDS.items()}


def _spec(name: str) -> ToolSpec:
    kind, run = _KINDS[name]
    _, parts = msgspec.json.schema_components([kind])
    (schema,) = parts.values()
    plain = {"type": "object"} | {
        key: schema[key] for key in ("properties", "required") if key in schema
    }
    return ToolSpec(name, " ".join((inspect.getdoc(run) or "").split()), plain)


SPECS: tuple[ToolSpec, ...] = tuple(map(_spec, _KINDS))


def _line(prefix: str, file: FileEvidence) -> str:
    says = f": {file.says}" if file.says else ""
    return f"{prefix}{file.name} ({file.kind}, {file.status}, {file.size} bytes){says}"


def _cut(text: str, start: int = 0) -> str:
    if len(text) <= MOST_SHOWN:
        return text
    return f"{text[:MOST_SHOWN]}\n... (cut at character {start + MOST_SHOWN})"


def _maybe(name: str, known: Mapping[str, object] | list[str]) -> str:
    near = nearest(name, known)
    return f"Did you mean {near!r}?" if near else f"There are: {', '.join(known) or 'none'}."
