"""What was read once is not read again, unless the cache lies."""

import multiprocessing
from pathlib import Path

import pytest

from bythebook.deliverables.evidence.cache import Cache, write_whole


def test_what_was_put_is_got_back(tmp_path: Path) -> None:
    cache = Cache(tmp_path / "cache")
    assert cache.get("content", "sha") is None
    cache.put(b"value", "content", "sha")
    assert cache.get("content", "sha") == b"value"
    assert cache.get("contents", "ha") is None


@pytest.mark.parametrize("harm", [b"", b"short", b"x" * 64 + b"\nvalue"])
def test_an_entry_that_does_not_hold_is_none_and_is_written_anew(
    harm: bytes, tmp_path: Path
) -> None:
    cache = Cache(tmp_path)
    cache.put(b"value", "key")
    (entry,) = (path for path in tmp_path.rglob("*") if path.is_file())
    entry.write_bytes(harm)
    assert cache.get("key") is None
    cache.put(b"value", "key")
    assert cache.get("key") == b"value"


def test_a_cache_that_cannot_be_written_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    cache = Cache(tmp_path / "file" / "cache")
    cache.put(b"value", "key")
    assert cache.get("key") is None


def _fill(folder: str) -> None:
    cache = Cache(Path(folder))
    for number in range(50):
        cache.put(b"v" * 10_000, str(number))
        assert cache.get(str(number)) == b"v" * 10_000


def test_processes_share_a_cache(tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    workers = [context.Process(target=_fill, args=(str(tmp_path),)) for _ in range(3)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(60)
    assert [worker.exitcode for worker in workers] == [0, 0, 0]


def test_a_file_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    write_whole(tmp_path / "a" / "b.json", b"old")
    with pytest.raises(TypeError):
        write_whole(tmp_path / "a" / "b.json", "no bytes")  # type: ignore[arg-type] # on purpose
    assert (tmp_path / "a" / "b.json").read_bytes() == b"old"
    assert [path.name for path in (tmp_path / "a").iterdir()] == ["b.json"]
