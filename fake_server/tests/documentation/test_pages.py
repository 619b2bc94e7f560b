"""The code blocks of the documentation, run in the order in which a reader meets them."""

from __future__ import annotations

import os
import re
import subprocess
from typing import TYPE_CHECKING

import pytest

from baremetalclient.tests import commands
from fake_server.tests.documentation.page import ROOT, SOURCE, blocks, name, pages
from fake_server.tests.documentation.reader import Reader
from tools.rows import todays

if TYPE_CHECKING:
    from pathlib import Path

PAGES = pages()
#: What has to be shown whole, and is tried in a fresh environment.
TUTORIALS = [page for page in PAGES if page.parent.name == "tutorials"]
README = ROOT / "README.rst"
NOT_RUN = [
    pytest.param(block.not_run, id=f"{name(page)}:{block.line}")
    for page in PAGES
    for block in blocks(page)
    if block.not_run
]


def environment(home: Path, *, fresh: bool) -> dict[str, str]:
    """Return the variables of the commands, which find the programs of these tests or none."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("OS_", "BAREMETAL_", "PYTEST_", "VENV", "VIRTUAL_ENV"))
    }
    path = [
        folder for folder in kept["PATH"].split(os.pathsep) if folder != str(commands.INSTALLED)
    ]
    if not fresh:
        path = [str(commands.directory()), str(commands.INSTALLED), *path]
    return {**kept, "PATH": os.pathsep.join(path), "HOME": str(home), "PYTHONUNBUFFERED": "1"}


#: Pages that need more than two seconds of CPU; what they use is on other pages, too.
SLOW = (
    *("tutorials/shell.rst", "tutorials/go.rst", "tutorials/sweep.rst", "how-to/compare.rst"),
    *("how-to/conductors.rst", "how-to/databases.rst", "how-to/time-and-faults.rst"),
    *("how-to/fleet.rst", "how-to/seeds.rst", "tutorials/pytest.rst", "how-to/agents.rst"),
    *("how-to/authentication.rst", "how-to/sdk.rst", "how-to/servers.rst", "how-to/declare.rst"),
    *("tutorials/fake-server.rst", "how-to/boot-from-volume.rst", "tutorials/client.rst"),
    *("how-to/wait.rst", "how-to/hardware.rst", "how-to/rehearse.rst", "how-to/reports.rst"),
    *("how-to/labs.rst", "how-to/coming-from-mocks.rst", "how-to/coming-from-openstacksdk.rst"),
)
#: Those that show how other languages use what the other pages show.
OTHER_LANGUAGES = tuple(
    f"how-to/{language}.rst" for language in ("robot", "bats", "javascript", "java", "rust")
)


def with_mark(page: Path) -> object:
    """Return a page as a parameter, marked where it takes long."""
    marks = []
    if name(page) in todays(SLOW):
        marks = [pytest.mark.slow("starts many processes, which takes seconds")]
    elif name(page) in SLOW:
        marks = [pytest.mark.night("a third of these pages runs for changes of each day")]
    elif name(page) in OTHER_LANGUAGES:
        marks = [pytest.mark.night("starts the tools of another language")]
    return pytest.param(page, id=name(page), marks=marks)


@pytest.mark.parametrize("page", [with_mark(page) for page in PAGES])
def test_a_page_does_what_it_says(page, tmp_path, monkeypatch, request):
    fresh = request.config.getoption("--fresh")
    if fresh and page != README and page not in TUTORIALS:
        pytest.skip("not in a fresh environment")
    directory = tmp_path / "work"
    if fresh:
        subprocess.run(["git", "clone", "-q", ROOT, directory], check=True)
    else:
        directory.mkdir()
    monkeypatch.chdir(directory)
    variables = environment(tmp_path, fresh=fresh)
    reader = Reader(directory, variables, monkeypatch, fresh=fresh, strict=page in TUTORIALS)
    try:
        for block in blocks(page):
            try:
                reader.do(block)
            except Exception as exc:
                exc.add_note(f"{page}:{block.line}")
                raise
    finally:
        reader.leave()


def test_pages_have_one_title():
    titles = {
        name(page): len(re.findall(r"^={3,}$", page.read_text("utf-8"), re.MULTILINE))
        for page in SOURCE.rglob("*.rst")
    }
    assert [page for page, number in titles.items() if number != 1] == []


@pytest.mark.parametrize("reason", NOT_RUN)
def test_blocks_that_are_not_run(reason):
    """Lists them, with the reason of each: ``pytest -rs``."""
    assert reason
    pytest.skip(reason)


def test_few_blocks_are_not_run():
    assert len(NOT_RUN) <= 20
