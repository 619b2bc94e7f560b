"""A module is found where its subject is: the commands, the calls and the tests of a resource."""

from __future__ import annotations

from pathlib import Path

import baremetalclient

ROOT = Path(baremetalclient.__file__).parent
UNIT = Path(__file__).parent


def modules(folder):
    return {path.stem for path in (ROOT / folder).glob("*.py")}


def test_commands_about_nodes_have_the_topics_of_the_sdk():
    assert len(modules("osc/v1/node")) > 8
    assert modules("osc/v1/node") <= modules("v1/node")


def test_each_resource_has_commands():
    files = (ROOT / "v1").glob("*.py")
    types = {path.stem for path in files if "RESOURCE_TYPE = " in path.read_text()}
    assert len(types) > 8
    # Only services send events.
    assert types - modules("osc/v1") == {"events"}


def test_the_other_services_have_the_same_modules():
    assert modules("block_storage") == modules("compute")


def test_each_folder_of_tests_is_named_as_the_package_that_it_tests():
    folders = [path.parent.relative_to(UNIT) for path in UNIT.rglob("test_*.py")]
    assert [folder for folder in folders if not (ROOT / folder).is_dir()] == []
