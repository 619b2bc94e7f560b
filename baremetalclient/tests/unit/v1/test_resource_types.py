"""The resource types as described: columns, labels, versions, what can be sorted and set."""

from pathlib import Path

import pytest

from baremetalclient._resource.schema import same_text
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
