"""The evidence of a folder in the layout that StartupBench gives its judge.

    eval_hints/
      ingest_profile.json                 how many files, single or multiple
      ingest_report.json                  every file with its status, and what was not taken
      multi_artifacts_manifest.json       which folder holds which file
      artifacts/0001_artifact/            one for each file, in order of names
        ingest_profile.json
        extracted_text.txt
        extracted_images/page_0001.png    pages as drawn
        extracted_images_manifest.json
        embedded_images/image_0001.png    pictures inside the file
        embedded_images_manifest.json

Names of files and folders are theirs, read off published traces; what stands inside the manifests
is ours, since theirs was never shown. Unlike theirs, office files have their pages drawn and
workbooks their cells written out.
"""

import shutil
from pathlib import Path
from typing import Any

import msgspec

from bythebook.deliverables.evidence import child
from bythebook.deliverables.evidence.embedded import Taken
from bythebook.deliverables.evidence.locate import text_of
from bythebook.deliverables.evidence.model import FileEvidence, PageImages
from bythebook.deliverables.evidence.reading import Unreadable
from bythebook.deliverables.evidence.view import View

MOST_TEXT = 4_000_000
"""Letters of one extracted text."""
WITH_PICTURES = ("docx", "pptx", "xlsx", "pdf")


def write_hints(view: View, to: Path, files: Path | None = None) -> None:
    """Write the tree into a folder; `files`: the handed-over files themselves, if at hand."""
    to.mkdir(parents=True, exist_ok=True)
    found = view.index.files
    names = [f"{number:04}_artifact" for number in range(1, len(found) + 1)]
    manifest = [
        {"artifact": f"artifacts/{name}", "source": f"results/{file.name}"}
        for name, file in zip(names, found, strict=True)
    ]
    mode = "single" if len(found) == 1 else "multiple"
    _write(to / "ingest_profile.json", {"submission": mode, "artifacts": len(found)})
    _write(to / "multi_artifacts_manifest.json", manifest)
    _write(
        to / "ingest_report.json",
        {
            "engine": view.index.engine,
            "artifacts": [
                {"artifact": name, **_told(file)} for name, file in zip(names, found, strict=True)
            ],
            "refused": list(view.index.refused),
        },
    )
    for name, file in zip(names, found, strict=True):
        _artifact(view, file, to / "artifacts" / name, files)


def _told(file: FileEvidence) -> dict[str, Any]:
    return {
        "source": f"results/{file.name}",
        "kind": file.kind,
        "status": file.status,
        "says": file.says,
        "bytes": file.size,
        "sha256": file.sha,
    }


def _artifact(view: View, file: FileEvidence, folder: Path, files: Path | None) -> None:
    for name in ("extracted_images", "embedded_images"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    text = _text(view, file)
    (folder / "extracted_text.txt").write_text(text + "\n", "utf-8")
    drawn = _pages(view, file, folder / "extracted_images")
    _write(folder / "extracted_images_manifest.json", drawn)
    taken = _embedded(file, folder / "embedded_images", files)
    _write(folder / "embedded_images_manifest.json", taken)
    profile = {"pages": len(drawn.images), "embedded_images": len(taken.pictures)}
    _write(folder / "ingest_profile.json", _told(file) | {"letters": len(text)} | profile)


def _text(view: View, file: FileEvidence) -> str:
    """All that is written in a file, or why that is nothing."""
    if file.status != "ok":
        return f"This file does not read ({file.status}). {file.says}".strip()
    if view.content(file.name) is None:
        return f"Files of this kind are not read. {file.says}".strip()
    text = text_of(view, file.name, limit=MOST_TEXT)
    if file.kind == "image":
        return f"{text}\nA picture has no text here: look at extracted_images/."
    return text


def _pages(view: View, file: FileEvidence, folder: Path) -> PageImages:
    """Copy the pages of a file into a folder; their paths are told from beside it."""
    if file.status != "ok":
        return PageImages(status="unavailable", says=file.says)
    told = view.pages(file.name)
    images = []
    for number, image in enumerate(told.images, 1):
        name = f"page_{number:04}.png"
        shutil.copyfile(view.root / image.path, folder / name)
        images.append(msgspec.structs.replace(image, path=f"{folder.name}/{name}"))
    return msgspec.structs.replace(told, images=tuple(images))


def _embedded(file: FileEvidence, folder: Path, files: Path | None) -> Taken:
    if file.status != "ok" or file.kind not in WITH_PICTURES:
        return Taken()
    path = files / file.name if files is not None else None
    if path is None or not path.is_file():
        return Taken(says="The file itself is not at hand.")
    try:
        return child.run("embedded:take", path, folder, returns=Taken)
    except Unreadable as error:
        return Taken(says=error.says)


def _write(path: Path, value: object) -> None:
    path.write_bytes(msgspec.json.format(msgspec.json.encode(value), indent=2) + b"\n")
