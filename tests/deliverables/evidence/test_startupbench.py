"""StartupBench's tree of evidence, written from a view."""

from pathlib import Path

import msgspec

from bythebook.deliverables.evidence.startupbench import write_hints
from bythebook.deliverables.evidence.view import View
from tests.deliverables.evidence.documents import memo, picture, report


def test_the_tree_holds_text_pages_and_pictures_of_every_file(tmp_path: Path) -> None:
    results = tmp_path / "results"
    results.mkdir()
    (results / "chart.png").write_bytes(picture())
    memo(results / "memo.docx")
    report(results / "report.pdf")
    (results / "wrong.docx").write_text("no document")
    view = View.of_folder(results, keep=tmp_path / "kept")
    write_hints(view, tmp_path / "eval_hints", results)
    top = tmp_path / "eval_hints"
    assert sorted(path.name for path in top.iterdir()) == [
        "artifacts",
        "ingest_profile.json",
        "ingest_report.json",
        "multi_artifacts_manifest.json",
    ]
    manifest = msgspec.json.decode((top / "multi_artifacts_manifest.json").read_bytes())
    assert [one["source"] for one in manifest] == [
        "results/chart.png",
        "results/memo.docx",
        "results/report.pdf",
        "results/wrong.docx",
    ]
    statuses = msgspec.json.decode((top / "ingest_report.json").read_bytes())["artifacts"]
    assert [one["status"] for one in statuses] == ["ok", "ok", "ok", "wrong_type"]
    chart, document, pages, wrong = sorted((top / "artifacts").iterdir())
    for artifact in (chart, document, pages, wrong):
        assert sorted(path.name for path in artifact.iterdir()) == [
            "embedded_images",
            "embedded_images_manifest.json",
            "extracted_images",
            "extracted_images_manifest.json",
            "extracted_text.txt",
            "ingest_profile.json",
        ]
    assert "The strategy is bold." in (document / "extracted_text.txt").read_text()
    assert (document / "embedded_images/image_0001.png").read_bytes() == picture()
    assert sorted(path.name for path in (pages / "extracted_images").iterdir()) == [
        "page_0001.png",
        "page_0002.png",
    ]
    assert [path.name for path in (pages / "embedded_images").iterdir()] == ["image_0001.png"]
    assert "look at extracted_images/" in (chart / "extracted_text.txt").read_text()
    assert (chart / "extracted_images/page_0001.png").exists()
    assert "does not read (wrong_type)" in (wrong / "extracted_text.txt").read_text()
