"""What resources and calls declare to type checkers is what the descriptions say."""

from __future__ import annotations

import importlib.util
import inspect
import subprocess
import sys
import typing
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import pytest

from baremetalclient._resource.arguments import CALL_OPTIONS
from baremetalclient.tests import calls, declared
from baremetalclient.v1 import arguments, objects, types
from baremetalclient.v1.driver import Driver
from baremetalclient.v1.node import states
from baremetalclient.v1.node.management import Validation
from baremetalclient.v1.node.traits_and_vifs import Vif
from baremetalclient.v1.provision_states import STATES, VERBS
from fake_server.baremetal import states as fake_states
from fake_server.baremetal.api import node_queries
from fake_server.baremetal.api.handlers import node_states
from fake_server.baremetal.drivers import raid

if TYPE_CHECKING:
    from baremetalclient._resource.fields import FieldType

ROOT = Path(__file__).parents[4]
#: Fields that are only sent, never returned.
ONLY_WRITTEN = {"allocation": {"node"}}
#: Arguments of ``list()`` that are no filters.
PAGING = {"self", "limit", "marker", "sort_key", "sort_dir", "detail", "fields", *CALL_OPTIONS}
KINDS: dict[FieldType, tuple[type, ...]] = {
    "string": (str,),
    "uuid": (str,),
    "datetime": (str,),
    "integer": (int,),
    "float": (float,),
    "boolean": (bool,),
    "object": (dict,),
    "list": (list,),
    "links": (list,),
}

MANAGERS = calls.managers()
RESOURCES = [manager.resource_class for manager in MANAGERS.values()] + [Validation, Vif]


def kinds(found: Any) -> set[Any]:
    """Return the classes that values of a type can have, without None."""
    args = typing.get_args(found)
    origin = typing.get_origin(found)
    if origin in (typing.Required, typing.NotRequired):
        return kinds(args[0])
    if origin is Literal:
        return {type(arg) for arg in args}
    if typing.is_typeddict(found):
        return {dict}
    if origin is None:
        return {found} - {type(None)}
    if origin in (list, dict):
        return {origin}
    if str(origin) in ("<class 'collections.abc.Sequence'>", "<class 'collections.abc.Mapping'>"):
        return {list if "Sequence" in str(origin) else dict}
    return set().union(*map(kinds, args))


@pytest.mark.parametrize("resource", RESOURCES, ids=lambda resource: resource.__name__)
def test_a_resource_declares_the_fields_of_its_description(resource):
    described = resource.resource_type
    found = declared.fields(resource)
    returned = set(described.by_name) - ONLY_WRITTEN.get(described.name, set())
    assert set(found) == returned
    for field in described.fields:
        if field.name in returned:
            assert kinds(found[field.name]) <= set(KINDS[field.type]), field.name


# Events are given as a list, not as fields.
@pytest.mark.parametrize(
    "name", [name for name in MANAGERS if hasattr(MANAGERS[name], "create") and name != "events"]
)
def test_create_declares_the_fields_that_can_be_given(name):
    manager = MANAGERS[name]
    described = manager.resource_type
    keywords = getattr(arguments, f"{manager.resource_class.__name__}Fields")
    hints = typing.get_type_hints(keywords, include_extras=True)
    assert set(hints) - set(CALL_OPTIONS) == set(described.creatable_names)
    annotation = inspect.signature(manager.create).parameters["fields"].annotation
    assert annotation == f"Unpack[{keywords.__name__}]"
    for field in described.fields:
        if field.creatable:
            assert kinds(hints[field.name]) <= set(KINDS[field.type]), field.name


@pytest.mark.parametrize("name", [name for name in MANAGERS if hasattr(MANAGERS[name], "list")])
def test_iterate_declares_the_filters_of_list(name):
    manager = MANAGERS[name]
    parameters = inspect.signature(manager.list).parameters
    filters = {key: value for key, value in parameters.items() if key not in PAGING}
    annotation = inspect.signature(manager.iterate).parameters["options"].annotation
    keywords = eval(annotation.removeprefix("Unpack[").removesuffix("]"), dict(declared.NAMES))
    own = set(typing.get_type_hints(keywords)) - set(
        typing.get_type_hints(arguments.IterateOptions)
    )
    described = {filter_.name for filter_ in manager.resource_type.filters} - {"detail"}
    assert own == described
    assert set(filters) == described
    for key in filters:
        wanted = eval(filters[key].annotation, dict(declared.NAMES))
        assert typing.get_type_hints(keywords)[key] == wanted, key


@pytest.mark.parametrize("name", [name for name in MANAGERS if hasattr(MANAGERS[name], "update")])
def test_update_declares_the_fields_that_can_be_changed(name):
    manager = MANAGERS[name]
    if name == "driver":  # which no version of the API can change
        return
    keywords = getattr(arguments, f"{manager.resource_class.__name__}Changes")
    assert set(typing.get_type_hints(keywords)) - set(CALL_OPTIONS) == set(
        manager.resource_type.updatable_names
    )
    annotation = inspect.signature(manager.update).parameters["changes"].annotation
    assert annotation == f"Unpack[{keywords.__name__}]"


def test_the_types_of_arguments_are_as_the_tool_writes_them():
    spec = importlib.util.spec_from_file_location("tool", ROOT / "tools" / "arguments.py")
    tool = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tool)
    assert Path(arguments.__file__).read_text("utf-8") == tool.text(), "run tools/dev arguments"
    written = {path.name: path.read_text("utf-8") for path in tool.CALLS.glob("*.py")}
    assert written == tool.call_modules(), "run tools/dev arguments"


def words(name):
    return set(typing.get_args(getattr(types, name)))


def names(alias):
    """Return the values that a type offers beside any text."""
    literal, text = typing.get_args(alias)
    assert text is str
    return set(typing.get_args(literal))


def test_words_are_those_of_the_client_and_of_the_server():
    known = fake_states.STABLE | fake_states.UNSTABLE | fake_states.FAILED
    known |= {fake_states.DEPLOYHOLD, fake_states.CLEANHOLD, fake_states.SERVICEHOLD}
    assert words("ProvisionState") == set(STATES) == known
    assert words("ProvisionVerb") == set(VERBS) == {*fake_states.VERBS, "rebuild"}
    short = {name for name in states._POWER_TARGETS if " " not in name}
    assert words("PowerTarget") == {*short, *states._POWER_TARGETS.values()}
    assert set(states._POWER_TARGETS.values()) == set(fake_states.POWER_TARGETS)
    assert words("InterfaceKind") == {
        name.split("_")[1] for name in declared.fields(Driver) if name.startswith("default_")
    }
    assert words("Fault") == set(node_queries._FAULTS)
    assert words("BootMode") == set(node_states._BOOT_MODES)
    assert words("RAIDLevel") == set(raid.LOGICAL_DISK["raid_level"]["enum"])
    assert set(typing.get_type_hints(objects.LogicalDisk)) == set(raid.LOGICAL_DISK)


def test_types_are_not_imported_at_run_time():
    code = (
        "import sys, baremetalclient.client as c, baremetalclient.boot_from_volume\n"
        "import baremetalclient.compute.lookup, baremetalclient.compute.wait\n"
        "import baremetalclient.block_storage.wait\n"
        "ironic = c.get_client(1, endpoint='http://127.0.0.1:1')\n"
        f"for name in {list(MANAGERS)}: getattr(ironic, name)\n"
        "print(*sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    assert loaded.isdisjoint({module.__name__ for module in declared.MODULES})
    assert "baremetalclient.v1.runbook" in loaded
