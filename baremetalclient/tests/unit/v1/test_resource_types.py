"""The resource types as described: columns, labels, versions, what can be sorted and set."""

import itertools
import typing
from pathlib import Path

import pytest

from baremetalclient._resource import arguments as resource_arguments
from baremetalclient._resource import results, schema
from baremetalclient._resource.schema import same_text
from baremetalclient.declare import planning
from baremetalclient.declare import states as declared_states
from baremetalclient.tests import declared
from baremetalclient.tests.unit.recorded import check
from baremetalclient.v1 import (
    allocation,
    chassis,
    conductor,
    deploy_template,
    driver,
    inspection_rule,
    node,
    port,
    portgroup,
    runbook,
    shard,
    volume_connector,
    volume_target,
)
from baremetalclient.v1.explain import finding

RECORD = Path(__file__).with_name("resource_types.json")
TYPES = (
    *(allocation, chassis, conductor, deploy_template, driver, inspection_rule, node, port),
    *(portgroup, runbook, shard, volume_connector, volume_target),
)


def described(kind):
    entries = {
        name: str(value) if "since" in name else value
        for name, value in vars(kind).items()
        if name in kind.__dataclass_fields__ and name not in ("name", "fields", "filters")
    }
    entries["missing"] = dict(kind.missing)
    for field in kind.fields:
        values = {"label": field.label, "type": field.type, "since": str(field.since)}
        for flag in ("sortable", "creatable", "updatable", "detailed"):
            values[flag] = getattr(field, flag)
        entries[f"field {field.name}"] = values
    for one in kind.filters:
        entries[f"filter {one.name}"] = {
            **one._asdict(),
            "since": str(one.since),
            "accepts": None if one.accepts is same_text else "its own",
        }
    return entries


@pytest.mark.parametrize("kind", [module.RESOURCE_TYPE for module in TYPES], ids=lambda k: k.name)
def test_a_type_is_as_recorded(kind, request):
    check(request, RECORD, kind.name, described(kind))


TYPED = (*declared.MODULES, resource_arguments, schema, finding, planning, declared_states, results)


def described_type(value):
    """Return what a type says to type checkers, None if it is none of its own."""
    if typing.is_typeddict(value):
        required = {name for name, hint in _hints(value).items() if _is_required(value, hint)}
        return {name: name in required for name in _hints(value)}
    found = [value, *typing.get_args(value)]
    words = [typing.get_args(one) for one in found if typing.get_origin(one) is typing.Literal]
    return [*itertools.chain(*words)] if words else None


def _hints(value):
    return typing.get_type_hints(value, include_extras=True)


def _is_required(value, hint):
    mark = typing.get_origin(hint)
    return mark is typing.Required or (value.__total__ and mark is not typing.NotRequired)


@pytest.mark.parametrize("module", TYPED, ids=lambda module: module.__name__)
def test_types_for_type_checkers_are_as_recorded(module, request):
    found = {name: described_type(value) for name, value in vars(module).items()}
    found = {name: value for name, value in found.items() if value is not None}
    check(request, RECORD, f"({module.__name__})", found)
