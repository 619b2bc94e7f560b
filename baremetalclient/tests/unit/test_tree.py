"""Modules and folders are where their subject is, and the map in the documentation shows them."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import baremetalclient
from baremetalclient.v1.resources import RESOURCES

ROOT = Path(baremetalclient.__file__).parent
UNIT = Path(__file__).parent


def modules(folder):
    return {path.stem for path in (ROOT / folder).glob("*.py")}


def test_each_resource_has_commands():
    files = (ROOT / "v1").glob("*.py")
    described = (path.stem for path in files if "resource_type = " in path.read_text())
    types = {name.removesuffix("_fields") for name in described}
    assert types == set(RESOURCES)
    # Only services send events.
    assert types - modules("osc/v1") == {"events", "node"}


def test_the_other_services_have_the_same_modules():
    assert modules("block_storage") == modules("compute")


def test_each_folder_of_tests_is_named_as_the_package_that_it_tests():
    folders = [path.parent.relative_to(UNIT) for path in UNIT.rglob("test_*.py")]
    assert [folder for folder in folders if not (ROOT / folder).is_dir()] == []


PROJECT = Path(__file__).parents[3]
CHAPTER = PROJECT / "doc" / "source" / "contributing"
MAP = (CHAPTER / "map.rst").read_text("utf-8")
#: Folders with a paragraph of their own.
FOLDERS = re.findall(r"^``(\S+/)``$", MAP, re.MULTILINE)


def test_every_folder_is_on_the_map_once():
    modules = [*PROJECT.glob("baremetalclient/**/*.py"), *PROJECT.glob("fake_server/**/*.py")]
    folders = {f"{module.parent.relative_to(PROJECT)}/" for module in modules}
    assert sorted(FOLDERS) == sorted(name for name in folders if "/tests/" not in name)


@pytest.mark.parametrize("page", sorted(CHAPTER.glob("*.rst")), ids=lambda page: page.name)
def test_modules_that_are_named_exist(page):
    packages = ("", "baremetalclient", "fake_server", "fake_server/baremetal")
    folders = [PROJECT / package for package in (*packages, "fake_server/tests/differential")]
    for name in re.findall(r"``([\w/]+\.py)``", page.read_text("utf-8")):
        if not name.startswith("ironic/"):  # which is Ironic's own
            assert any((folder / name).is_file() for folder in folders), name


def test_roots_hold_what_the_map_says():
    for package in ("baremetalclient", "fake_server"):
        paragraph = MAP.partition(f"``{package}/``\n")[2].partition("\n\n")[0]
        named = set(re.findall(r"``([a-z_]+)``", paragraph))
        there = {path.stem for path in (PROJECT / package).glob("*.py")} - {"__init__"}
        assert named == there


#: Classes that have the name of another one, each with the reason.
SHARED = {
    "Resource": "python-ironicclient has two of this name, too",
}


def test_the_name_of_a_class_or_a_type_means_one_thing():
    places: dict[str, set[str]] = {}
    for path in ROOT.rglob("*.py"):
        if "tests" in path.parts:
            continue
        for node in ast.parse(path.read_text("utf-8")).body:
            places.setdefault(declared_by(node).lstrip("_"), set()).add(path.stem)
    found = {
        name: modules
        for name, modules in places.items()
        # What users import is in `exc`; `_http` adds the classes of keystoneauth as bases.
        if name and len(modules - {"exceptions"}) > 1 and name not in SHARED
    }
    assert found == {}


def declared_by(node):
    """Return the name of the class, or of the type, that a statement declares; else nothing."""
    if isinstance(node, ast.ClassDef):
        return node.name
    if isinstance(node, ast.Assign) and isinstance(node.value, ast.Subscript):
        (target,) = node.targets
        return target.id if isinstance(target, ast.Name) and not target.id.isupper() else ""
    return ""
