"""The signatures of all public functions, classes and methods, which programs rely on.

A deliberate change is written down with ``--record -n 0``.
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import re
from pathlib import Path

import baremetalclient
from baremetalclient.tests.unit.recorded import check

RECORD = Path(__file__).with_name("signatures.json")
_ADDRESS = re.compile(r" at 0x[0-9a-f]+")


def modules():
    """Yield all public modules but those of commands, whose options are recorded elsewhere."""
    yield baremetalclient
    for found in pkgutil.walk_packages(baremetalclient.__path__, "baremetalclient."):
        parts = found.name.split(".")
        if "tests" not in parts and "osc" not in parts:
            yield importlib.import_module(found.name)


def signature(member):
    """Return a signature as text; None for what has none."""
    try:
        return _ADDRESS.sub("", str(inspect.signature(member)))
    except (TypeError, ValueError):
        return None


def signatures(module):
    """Yield the names of functions, classes and their methods, with their signatures."""
    for name, member in vars(module).items():
        if name.startswith("_") or getattr(member, "__module__", "") != module.__name__:
            continue
        if inspect.isfunction(member) or inspect.isclass(member):
            yield name, signature(member)
        if inspect.isclass(member):
            for of, method in vars(member).items():
                function = getattr(method, "__func__", method)
                if not of.startswith("_") and inspect.isfunction(function):
                    yield f"{name}.{of}", signature(function)


def test_signatures_are_as_recorded(request):
    for module in modules():
        found = {name: text for name, text in signatures(module) if text is not None}
        if found:
            check(request, RECORD, module.__name__, found)
