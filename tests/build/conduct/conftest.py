"""The whole task built once; tests work on copies of its place."""

import shutil
from pathlib import Path

import pytest

from bythebook.build.conduct.build import STAGES
from bythebook.build.conduct.work import Work
from tests.build.conduct.site import Site
from tests.own import own_content


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Site:
    """Every stage answered, reviewed and proved. Nobody writes here."""
    site = Site(tmp_path_factory.mktemp("conduct-task"))
    own_content(site.content)
    shutil.rmtree(site.content / "tasks")
    last = site.through(*STAGES)
    assert last.done, last
    return site


@pytest.fixture
def site(built: Site, tmp_path: Path) -> Site:
    """A copy that a test may change."""
    return built.copied(tmp_path / "site")


@pytest.fixture(scope="session")
def work(built: Site) -> Work:
    """The finished place, to lay answers before it; taking one writes nothing."""
    return built.work()
