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

from baremetalclient._resource.arguments import PAGING
from baremetalclient._resource.crud import CreateManager, ListManager, ReadManager
from baremetalclient.osc.command_table import COMMANDS, MODULE_PREFIX
from baremetalclient.v1 import objects, types
from baremetalclient.v1.resources import RESOURCES, manager_class

if TYPE_CHECKING:
    from baremetalclient._resource.fields import Field
    from baremetalclient._resource.schema import ResourceType

ROOT = Path(__file__).parents[1]
TARGET = ROOT / "baremetalclient" / "v1" / "arguments.py"
CALLS = TARGET.with_name("calls")
SETUP = ROOT / "setup.cfg"
WIDTH = 100
HEAD = '''"""Types of the arguments of calls.

The types are for annotations in users' programs, too. Nothing else in this package imports the
module at run time, so that it costs nothing there.

Written by `tools/dev arguments`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Required

from baremetalclient._resource.arguments import CallOptions
from baremetalclient._resource.resource import Resource
from baremetalclient.v1.node_fields import Node
'''
CALLS_PACKAGE = '''"""The calls that most managers have, a module for each type of resource.

They are written out, so that people, editors and type checkers read what each takes; the
descriptions of the resources say what that is. Written by `tools/dev arguments`.
"""
'''
OPTIONS = "**call: Unpack[CallOptions]"
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
    found = [ITERATE]
    for manager in map(manager_class, RESOURCES):
        if issubclass(manager, ListManager):
            found += _types(manager)
    body = "\n\n".join(found)
    return f"{HEAD}{_imports(body)}\n\n{body}"


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


def call_modules() -> dict[str, str]:
    """Return the texts of the modules with the calls of managers, by the names of their files."""
    made = {"__init__.py": CALLS_PACKAGE}
    for name in RESOURCES:
        manager = manager_class(name)
        if issubclass(manager, ListManager):
            made[f"{name}.py"] = _call_module(manager)
    return made


def _call_module(manager: type[ListManager[Any]]) -> str:
    """Return the text of the module with the calls of a manager."""
    resource = manager.resource_class.__name__
    described = manager.resource_class.resource_type
    bases = (CreateManager, ReadManager, ListManager)
    base = next(one for one in bases if issubclass(manager, one))
    written = {
        "iterate": _iterate,
        "get": _get,
        "create": _create,
        "update": _update,
        "delete": _delete,
        # The name of the list hides that of the type.
        "list": _list,
    }
    methods = [
        write(described, resource)
        for name, write in written.items()
        if hasattr(base, name) and name not in vars(manager)
    ]
    body = "\n".join(methods)
    return f'''"""Calls for {described.plural}; written by `tools/dev arguments`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from baremetalclient._resource.crud import {base.__name__}
from baremetalclient._resource.resource import ResourceT

if TYPE_CHECKING:
{textwrap.indent(_checked_imports(body), "    ")}

class {resource}Calls({base.__name__}[ResourceT]):
    """Calls for {described.plural}."""

{body}'''


def _iterate(described: ResourceType, resource: str) -> str:
    own = any(one.name != "detail" for one in described.filters)
    options = f"{resource}Filters" if own else "IterateOptions"
    meaning = f"""Yield all {described.plural} that match, holding one page of the server at a time.

:param options: the arguments of :meth:`list` but ``limit``."""
    return _method(
        "iterate",
        [f"**options: Unpack[{options}]"],
        "Iterator[ResourceT]",
        meaning,
        ["return self._iterate(**options)"],
    )


def _get(described: ResourceType, _: str) -> str:
    ident = described.identified_by
    meaning = f"""Return {described.one}.

:param {ident}: its identifier, or the resource.
:param fields: the names of the fields to return, None for all.
:raises NotFound: if it does not exist."""
    return _method(
        "get",
        [f"{ident}: str | ResourceT", "fields: Sequence[str] | None = None", OPTIONS],
        "ResourceT",
        meaning,
        [f"return self._get({ident}, fields, **call)"],
    )


def _create(described: ResourceType, resource: str) -> str:
    meaning = f"""Create {described.one}.

:param fields: its fields, and the options of every call.
:raises InvalidAttribute: if it does not have one of the fields.
:raises Conflict: if the UUID, the name or another unique field is taken."""
    return _method(
        "create",
        [f"**fields: Unpack[{resource}Fields]"],
        "ResourceT",
        meaning,
        ["return self._create(**fields)"],
    )


def _update(described: ResourceType, resource: str) -> str:
    ident = described.identified_by
    meaning = f"""Change {described.one}, and return it.

:param {ident}: its identifier, or the resource.
:param patch: a JSON patch.
:param changes: instead of a patch: new values of whole fields, None to remove one; and the
    options of every call.
:raises InvalidAttribute: if it does not have one of the fields."""
    return _method(
        "update",
        [
            f"{ident}: str | ResourceT",
            "patch: Patch | None = None",
            f"**changes: Unpack[{resource}Changes]",
        ],
        "ResourceT",
        meaning,
        [f"return self._change({ident}, patch, **changes)"],
    )


def _delete(described: ResourceType, _: str) -> str:
    ident = described.identified_by
    meaning = f"""Delete {described.one}.

:param {ident}: its identifier, or the resource.
:raises NotFound: if it does not exist."""
    return _method(
        "delete",
        [f"{ident}: str | ResourceT", OPTIONS],
        "None",
        meaning,
        [f"self._delete({ident}, **call)"],
    )


def _list(described: ResourceType, _: str) -> str:
    filters = {one.name: one for one in described.filters}
    kinds = PAGING | {name: one.annotated(described.by_name) for name, one in filters.items()}
    own = (name for name in filters if name != "detail")
    by_position = described.list_arguments
    by_keyword = [one for one in (*described.list_keywords, *own) if one not in by_position]
    declared = {
        name: f"{name}: {kinds[name]} = {False if kinds[name] == 'bool' else None}"
        for name in (*by_position, *by_keyword)
    }
    given = [declared[name] for name in by_position]
    if by_keyword:
        given += ["*", *(declared[name] for name in by_keyword)]
    meaning = f"""Return the {described.plural} that match.

See :class:`.ListManager` for the arguments of all lists.
"""
    told = [
        f":param {name}: {filters[name].meaning[0].lower()}{filters[name].meaning[1:]}"
        for name in declared
        if name in filters
    ]
    for one in ["", *told]:
        meaning += "\n".join(textwrap.wrap(one, WIDTH - 8, subsequent_indent="    ")) + "\n"
    passed = [f"{name}={name}" for name in declared]
    call = f"return self._list({', '.join((*passed, '**call'))})"
    if len(call) > WIDTH - 8:
        rows = "".join(f"    {one},\n" for one in (*passed, "**call"))
        call = f"return self._list(\n{rows})"
    return _method("list", [*given, OPTIONS], "list[ResourceT]", meaning.rstrip(), [call])


def _method(name: str, arguments: list[str], result: str, meaning: str, body: list[str]) -> str:
    """Return the text of a method, formatted as ruff does it."""
    given = ["self", *arguments]
    head = f"def {name}({', '.join(given)}) -> {result}:"
    if name == "create":  # which requires more than the base of all managers
        head += "  # type: ignore[override]"
    elif len(head) > WIDTH - 4:
        inside = f"    {', '.join(given)}"
        if len(inside) > WIDTH - 4:
            inside = "\n".join(f"    {one}," for one in given)
        head = f"def {name}(\n{inside}\n) -> {result}:"
    doc = f'"""{meaning}' + ('\n"""' if "\n" in meaning else '"""')
    inner = textwrap.indent("\n".join([doc, *body]), "    ")
    return textwrap.indent(f"{head}\n{inner}\n", "    ")


def _checked_imports(body: str) -> str:
    """Return the imports that type checkers need for a text."""
    words = set(re.findall(r"\w+", body))
    sources: list[tuple[str, set[str]]] = [
        ("collections.abc", {"Iterator", "Sequence"}),
        ("typing", {"Any", "Unpack"}),
        ("baremetalclient._resource.arguments", {"CallOptions"}),
        ("baremetalclient._resource.resource", {"Resource"}),
        ("baremetalclient.v1.arguments", set(re.findall(r"class (\w+)\(", text()))),
        ("baremetalclient.v1.node_fields", {"Node"}),
    ]
    groups = [_import_lines(module, words & names, WIDTH - 4) for module, names in sources]
    groups += [_imports(body, WIDTH - 4)]
    return "".join(groups[:2]) + "\n" + "".join(groups[2:])


def _import_lines(module: str, names: set[str], width: int = WIDTH) -> str:
    if not names:
        return ""
    line = f"from {module} import {', '.join(sorted(names))}\n"
    if len(line) > width + 1:
        rows = "".join(f"    {name},\n" for name in sorted(names))
        line = f"from {module} import (\n{rows})\n"
    return line


def _imports(body: str, width: int = WIDTH) -> str:
    words = set(re.findall(r"\w+", body))
    return "".join(
        _import_lines(
            module.__name__,
            words & {name for name, value in vars(module).items() if _is_own(name, value, module)},
            width,
        )
        for module in (objects, types)
    )


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
    for file, content in call_modules().items():
        (CALLS / file).write_text(content, "utf-8")
    SETUP.write_text(entry_points(SETUP.read_text("utf-8")), "utf-8")
