#!/usr/bin/env python
"""Write what follows from the descriptions of resources, and cannot be derived where it is read.

Type checkers read the types of arguments, and OpenStackClient the entry points of commands.
`tools/dev arguments` runs this; tests compare the results.
"""

from __future__ import annotations

import re
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING, Any

from baremetalclient._resource.crud import CreateManager, ListManager, ReadManager, signature
from baremetalclient.osc.command_table import COMMANDS, MODULE_PREFIX
from baremetalclient.v1 import objects, types
from baremetalclient.v1.resources import RESOURCES, manager_class

if TYPE_CHECKING:
    from collections.abc import Iterator
    from inspect import Signature

    from baremetalclient._resource.fields import Field

ROOT = Path(__file__).parents[1]
TARGET = ROOT / "baremetalclient" / "v1" / "arguments.py"
SETUP = ROOT / "setup.cfg"
WIDTH = 100
HEAD = '''"""Types of the arguments of calls, and the calls as type checkers see them.

The types are for annotations in users' programs, too. Nothing else in this package imports the
module at run time, so that it costs nothing there.

Written by `tools/dev arguments`.
"""
# fmt: off

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Required

from baremetalclient._resource.arguments import CallOptions
from baremetalclient._resource.resource import Resource
from baremetalclient.v1.node_fields import Node
'''
CHECKING = """
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Unpack

    from baremetalclient._resource.crud import CreateManager, ListManager, ReadManager
    from baremetalclient._resource.resource import ResourceT
    from baremetalclient.v1.objects import Patch
"""
ITERATE = '''class IterateOptions(CallOptions, total=False):
    """The arguments of ``iterate()`` of every manager."""

    marker: str | None
    sort_key: str | None
    sort_dir: SortDirection | None
    detail: bool
    fields: Sequence[str] | None


class ListOptions(IterateOptions, total=False):
    """The arguments of all lists."""

    limit: int | None
'''


def text() -> str:
    """Return the text of the module."""
    found, calls = [ITERATE], []
    for manager in map(manager_class, RESOURCES):
        if issubclass(manager, ListManager):
            found += _types(manager)
            calls.append(_calls(manager))
    body = "\n\n".join(found)
    checked = "".join(f"\n{one}" for one in calls)
    return f"{HEAD}{_imports(body)}{CHECKING}\n\n{body}\n\nif TYPE_CHECKING:\n{checked}"


def _types(manager: type[ListManager[Any]]) -> list[str]:
    """Return the types of the arguments of a manager."""
    resource_type, name = manager.resource_class.resource_type, manager.resource_class.__name__
    fields, found = resource_type.fields, []
    if issubclass(manager, CreateManager):
        one = resource_type.one.split(maxsplit=1)[1]
        new = {field.name: _given(field) for field in fields if field.creatable}
        changed = {field.name: f"{_plain(field)} | None" for field in fields if field.updatable}
        found = [
            _typed_dict(f"{name}Fields", "CallOptions", f"The fields of a new {one}.", new),
            _typed_dict(
                f"{name}Changes",
                "CallOptions",
                f"New values of fields of {resource_type.one}.",
                changed,
            ),
        ]
    own = {
        one.name: one.annotated(resource_type.by_name)
        for one in resource_type.filters
        if one.name != "detail"
    }
    if own:
        meaning = f"The filters of {resource_type.plural}."
        found.append(_typed_dict(f"{name}Filters", "IterateOptions", meaning, own))
    return found


def _given(field: Field) -> str:
    kind = field.given or field.annotation
    return f"Required[{kind}]" if field.required else kind


def _plain(field: Field) -> str:
    return (field.given or field.annotation).removesuffix(" | None")


def _typed_dict(name: str, base: str, meaning: str, kinds: dict[str, str]) -> str:
    rows = "".join(f"    {key}: {kind}\n" for key, kind in kinds.items())
    return f'class {name}({base}, total=False):\n    """{meaning}"""\n\n{rows}'


def _calls(manager: type[ListManager[Any]]) -> str:
    """Return a class with the calls of a manager as type checkers see them."""
    resource_class = manager.resource_class
    bases = (CreateManager, ReadManager, ListManager)
    base = next(one for one in bases if issubclass(manager, one))
    # The name of the list hides that of the type.
    names = sorted(base.calls, key=lambda name: name == "list")
    methods = [_method(name, signature(name, resource_class, "ResourceT")) for name in names]
    head = f"    class {resource_class.__name__}Calls({base.__name__}[ResourceT]):\n"
    return head + "".join(methods)


def _method(name: str, found: Signature) -> str:
    """Return a method."""
    given = list(_arguments(found))
    # What is required is more than the base of all managers asks for.
    ignored = "  # type: ignore[override]" if name in ("create", "iterate") else ""
    # Lines as full as possible: nobody writes them.
    whole = ", ".join(one.replace(" ", "\N{NO-BREAK SPACE}") for one in given)
    head = f"def {name}(".replace(" ", "\N{NO-BREAK SPACE}")
    end = f") -> {found.return_annotation}: ...".replace(" ", "\N{NO-BREAK SPACE}")
    rows = textwrap.wrap(
        head + whole + end, WIDTH, initial_indent=" " * 8, subsequent_indent=" " * 12
    )
    return "\n".join(rows).replace("\N{NO-BREAK SPACE}", " ") + f"{ignored}\n"


def _arguments(found: Signature) -> Iterator[str]:
    named = False
    for one in found.parameters.values():
        if one.kind is one.KEYWORD_ONLY and not named:
            named = True
            yield "*"
        stars = "**" if one.kind is one.VAR_KEYWORD else ""
        kind = "" if one.annotation is one.empty else f": {one.annotation}"
        default = "" if one.default is one.empty else f" = {one.default}"
        yield f"{stars}{one.name}{kind}{default}"


def _imports(body: str) -> str:
    words = set(re.findall(r"\w+", body))
    lines = []
    for module in (objects, types):
        own = (name for name, value in vars(module).items() if _is_own(name, value, module))
        names = sorted(words & set(own))
        line = f"from {module.__name__} import {', '.join(names)}\n"
        if len(line) > WIDTH + 1:
            rows = "".join(f"    {name},\n" for name in names)
            line = f"from {module.__name__} import (\n{rows})\n"
        lines.append(line)
    return "".join(lines)


def _is_own(name: str, value: object, module: object) -> bool:
    ours = objects is module and name in vars(types)
    return name[0].isupper() and not ours and name not in ("Any", "Required", "Literal", "Sequence")


def entry_points(setup: str) -> str:
    """Return setup.cfg with the entry points of all commands, which are its end."""
    group = "openstack.baremetal.v1 =\n"
    rows = [
        f"    baremetal_{name.replace(' ', '_')} = {MODULE_PREFIX}{place}\n"
        for name, place in COMMANDS.items()
    ]
    return setup.partition(group)[0] + group + "".join(sorted(rows))


if __name__ == "__main__":
    TARGET.write_text(text(), "utf-8")
    SETUP.write_text(entry_points(SETUP.read_text("utf-8")), "utf-8")
