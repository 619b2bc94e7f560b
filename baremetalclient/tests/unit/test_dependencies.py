"""What the packages import is what ``setup.cfg`` declares, no less and no more."""

from __future__ import annotations

import ast
import configparser
import re
import sys
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
SETUP = configparser.ConfigParser()
SETUP.read(ROOT / "setup.cfg", "utf-8")
EXTRAS = SETUP["options.extras_require"]
OWN = {"baremetalclient", "fake_server"}
DISTRIBUTIONS = packages_distributions()

# What an application brings that loads a module of ours as its plugin.
HOSTS = {
    "baremetalclient/osc/both_installed.py": "osc-lib",
    "fake_server/pytest_plugin.py": "pytest",
}


def canonical(name):
    return re.sub(r"[-_.]+", "-", name).lower()


def requirements(text):
    lines = [line for line in text.split("\n") if line and not line.startswith("#")]
    return {canonical(re.split(r"[^\w.-]", line)[0]): line for line in lines}


BASE = requirements(SETUP["options"]["install_requires"])
SERVER = requirements(EXTRAS["server"])


def run_time_nodes(tree):
    """Every node that is not for type checkers only."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.expr):
            continue
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            continue
        yield node
        yield from run_time_nodes(node)


@cache
def imported_by(package):
    """Return the pairs of a module and a distribution that it imports when it runs."""
    found = set()
    for path in sorted((ROOT / package).rglob("*.py")):
        if "tests" in path.parts:
            continue
        for node in run_time_nodes(ast.parse(path.read_text("utf-8"))):
            names = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                names = [node.module]
            for name in {name.partition(".")[0] for name in names} - OWN:
                if name not in sys.stdlib_module_names:
                    module = path.relative_to(ROOT).as_posix()
                    found |= {(module, canonical(one)) for one in DISTRIBUTIONS[name]}
    return found


@pytest.mark.slow("reads all modules")
@pytest.mark.parametrize(
    ("package", "declared"), [("baremetalclient", BASE), ("fake_server", BASE | SERVER)]
)
def test_what_is_imported_is_declared(package, declared):
    found = imported_by(package) - set(HOSTS.items())
    assert len(found) > 15
    assert not [(module, name) for module, name in sorted(found) if name not in declared]


@pytest.mark.slow("reads all modules")
def test_what_is_declared_is_imported():
    client = {name for _, name in imported_by("baremetalclient")}
    server = {name for _, name in imported_by("fake_server")}
    assert set(BASE) <= client
    assert set(SERVER) <= server


def test_what_is_declared_is_explained():
    page = ROOT / "doc" / "source" / "reference" / "dependencies.rst"
    words = {canonical(word) for word in re.findall(r"[\w.-]*\w", page.read_text("utf-8"))}
    extras = [requirements(EXTRAS[name]) for name in ("cli", "server", "postgresql", "mariadb")]
    assert not {*BASE, *(name for extra in extras for name in extra)} - words


def test_private_names_of_others_are_bounded_by_the_next_major_version():
    declared = BASE | requirements(EXTRAS["cli"])
    for distribution in ("cliff", "osc-lib", "requests", "stevedore"):
        assert re.search(r",<\d+$", declared[distribution])


def test_private_modules_of_others_are_known():
    modules = set()
    for package in OWN:
        for path in (ROOT / package).rglob("*.py"):
            text = path.read_text("utf-8")
            modules |= set(re.findall(r"^\s*from (\w+)(?:\.\w+)* import _", text, re.MULTILINE))
    assert modules - OWN - {"__future__"} == {"cliff"}
