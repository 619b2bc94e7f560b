"""The map in the documentation is a map of this tree."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
CHAPTER = ROOT / "doc" / "source" / "contributing"
MAP = (CHAPTER / "map.rst").read_text("utf-8")
#: Folders with a paragraph of their own.
FOLDERS = re.findall(r"^``(\S+/)``$", MAP, re.MULTILINE)


def test_every_folder_is_on_the_map_once():
    modules = [*ROOT.glob("baremetalclient/**/*.py"), *ROOT.glob("fake_server/**/*.py")]
    folders = {f"{module.parent.relative_to(ROOT)}/" for module in modules}
    assert sorted(FOLDERS) == sorted(name for name in folders if "/tests/" not in name)


@pytest.mark.parametrize("page", sorted(CHAPTER.glob("*.rst")), ids=lambda page: page.name)
def test_modules_that_are_named_exist(page):
    packages = ("", "baremetalclient", "fake_server", "fake_server/baremetal")
    folders = [ROOT / package for package in (*packages, "fake_server/tests/differential")]
    for name in re.findall(r"``([\w/]+\.py)``", page.read_text("utf-8")):
        if not name.startswith("ironic/"):  # which is Ironic's own
            assert any((folder / name).is_file() for folder in folders), name


def test_roots_hold_what_the_map_says():
    for package in ("baremetalclient", "fake_server"):
        paragraph = MAP.partition(f"``{package}/``\n")[2].partition("\n\n")[0]
        named = set(re.findall(r"``([a-z_]+)``", paragraph))
        there = {path.stem for path in (ROOT / package).glob("*.py")} - {"__init__"}
        assert named == there
