"""What docstrings refer to is there: modules, classes and functions that moved are noticed."""

from __future__ import annotations

import ast
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[2]
ROLE = re.compile(r":(?:mod|class|func|meth|data|attr|exc):`(?:[^`<]*<)?~?([\w.]+)>?`")
PATH = re.compile(r"``((?:[\w.]+/)+[\w]+\.py)``")
DEFINITIONS = ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


def sources(package: str) -> dict[str, str]:
    """Return the sources of a package by the names of the modules."""
    found = {}
    for path in (ROOT / package).rglob("*.py"):
        name = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        if ".tests" not in name:
            found[name] = path.read_text("utf-8")
    return found


def defined(prefix: str, node: ast.AST) -> Iterator[str]:
    """Yield the full names of what a module or a class defines or imports."""
    for child in ast.iter_child_nodes(node):
        match child:
            case ast.ClassDef() | ast.FunctionDef() | ast.AsyncFunctionDef():
                yield f"{prefix}.{child.name}"
                yield from defined(f"{prefix}.{child.name}", child)
            case ast.Import() | ast.ImportFrom():
                yield from (f"{prefix}.{one.asname or one.name}" for one in child.names)
            case ast.Name(ctx=ast.Store()) | ast.Attribute(ctx=ast.Store()):
                yield f"{prefix}.{child.id if isinstance(child, ast.Name) else child.attr}"
            case ast.expr_context() | ast.Constant():
                continue
            case _:
                yield from defined(prefix, child)


@pytest.mark.slow("reads all modules")
@pytest.mark.parametrize("package", ["fake_server", "baremetalclient"])
def test_references_lead_somewhere(package):
    modules = sources(package)
    names = {
        module: {module, *defined(module, ast.parse(text))} for module, text in modules.items()
    }
    endings = {
        ".".join(parts[start:])
        for name in set().union(*names.values())
        for parts in [name.split(".")]
        for start in range(len(parts))
    }
    wrong = []
    for module, text in modules.items():
        own = {name.rpartition(".")[2] for name in names[module]}
        for target in ROLE.findall(text):
            outside = target.split(".")[0] not in ("", package) and "." in target
            known = own | sys.stdlib_module_names if "." not in target else endings
            if target.lstrip(".") not in known and not outside:
                wrong.append(f"{module}: {target}")
        here = ROOT.joinpath(*module.split("."))
        wrong += [
            f"{module}: {path}"
            for path in PATH.findall(text)
            if not any((start / path).exists() for start in (ROOT, *here.parents, here))
        ]
    assert wrong == []
