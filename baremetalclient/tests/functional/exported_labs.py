"""Random labs for the tests of export."""

from __future__ import annotations

import uuid

from hypothesis import strategies as st

ACTIONS = [{"op": "fail", "args": {"msg": "{node.name}"}}]
RAID = {"logical_disks": [{"raid_level": "1", "size_gb": "MAX"}]}
names = st.from_regex(r"\A[a-z][a-z0-9-]{0,8}\Z")
texts = st.text(
    st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="{}*"), max_size=12
)
values = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | texts,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(names, inner, max_size=2),
    max_leaves=4,
)
extras = st.dictionaries(names, values, max_size=3)
traits = st.lists(st.from_regex(r"\ACUSTOM_[A-Z0-9_]{1,6}\Z"), max_size=3, unique=True)
macs = st.integers(0, 2**40 - 1).map(
    lambda number: "52:" + ":".join(f"{number:010x}"[at : at + 2] for at in range(0, 10, 2))
)


@st.composite
def nodes(draw, name):
    addresses = draw(st.lists(macs, max_size=3, unique=True))
    state = draw(st.sampled_from(["enroll", "manageable", "available", "active", "clean failed"]))
    node = {
        "name": name,
        "driver": "fake-hardware",
        "provision_state": state,
        "extra": draw(extras),
        "properties": draw(st.dictionaries(names, texts, max_size=2)),
        "driver_info": draw(st.dictionaries(names, texts, max_size=2)),
        "traits": draw(traits),
        "resource_class": draw(st.none() | st.just("gold")),
        "description": draw(st.none() | texts),
        "maintenance": draw(st.booleans()),
        "retired": state == "manageable" and draw(st.booleans()),
        "protected": state == "active" and draw(st.booleans()),
        "power_state": draw(st.sampled_from([None, "power on", "power off"])),
        "lessee": draw(st.none() | names),
        "shard": draw(st.none() | names),
        "target_raid_config": draw(st.sampled_from([{}, RAID])),
        "automated_clean": draw(st.none() | st.booleans()),
        "portgroups": [{"name": f"{name}-bond"}] if draw(st.booleans()) else [],
        "volume_connectors": [
            {"type": "iqn", "connector_id": f"{name}:{number}"}
            for number in range(draw(st.integers(0, 2)))
        ],
        "volume_targets": [
            {"volume_type": "iscsi", "volume_id": "v", "boot_index": number, "extra": draw(extras)}
            for number in range(draw(st.integers(0, 2)))
        ],
    }
    group = {"portgroup": f"{name}-bond"} if node["portgroups"] else {}
    node["ports"] = [
        {
            "address": f"{address[:-2]}{int(name[1:]):02x}",
            "pxe_enabled": draw(st.booleans()),
            "extra": draw(extras),
            **(group if draw(st.booleans()) else {}),
        }
        for address in {one[:-2]: one for one in addresses}.values()
    ]
    return node


@st.composite
def labs(draw):
    count = draw(st.integers(0, 4))
    racks = [
        {"uuid": str(uuid.UUID(int=number + 1, version=4)), "description": f"Rack {number}"}
        for number in range(draw(st.integers(0, 2)))
    ]
    found = [draw(nodes(f"n{number}")) for number in range(count)]
    for node in found:
        if racks and draw(st.booleans()):
            node["chassis_uuid"] = draw(st.sampled_from(racks))["uuid"]
    steps = [{"interface": "bios", "step": "s", "args": draw(extras), "priority": 7}]
    steps_of_runbook = [{"interface": "bios", "step": "s", "args": {}, "order": 1}]
    runbooks = draw(st.lists(names, max_size=2, unique=True))
    templates = draw(st.lists(st.sampled_from(["CUSTOM_X", "CUSTOM_Y"]), unique=True))
    allocated = [
        node
        for node in found
        if node["provision_state"] in ("available", "active") and not node["maintenance"]
    ]
    taken = draw(st.lists(st.sampled_from(allocated), unique_by=id)) if allocated else []
    for node in taken:
        # Ironic allocates only nodes with a power state.
        node |= {"resource_class": "gold", "power_state": "power off"}
    lab = {
        "chassis": racks,
        "nodes": found,
        "deploy_templates": [{"name": name, "steps": steps} for name in templates],
        "runbooks": [
            {"name": name, "steps": steps_of_runbook, "traits": draw(traits)} for name in runbooks
        ],
        "inspection_rules": [
            {"description": f"Rule {number}", "priority": number, "actions": ACTIONS}
            for number in range(draw(st.integers(0, 2)))
        ],
        "allocations": [{"name": f"for-{node['name']}", "node": node["name"]} for node in taken],
    }
    return {key: entries for key, entries in lab.items() if entries}
