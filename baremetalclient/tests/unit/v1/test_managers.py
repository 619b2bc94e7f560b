"""Each manager sends what the API wants, and is called as programs for python-ironicclient do."""

from __future__ import annotations

import inspect

import pytest

from baremetalclient import exc
from baremetalclient.tests.unit.scripted import Reply

COMMON = "os_ironic_api_version global_request_id"
PAGE = "limit marker sort_key sort_dir fields"
DETAILED = f"{PAGE} detail"

METHODS = {
    "allocation": {
        "create": "",
        "delete": "allocation_id",
        "get": "allocation_id fields",
        "list": f"resource_class state node owner {PAGE}",
        "update": "allocation_id patch",
        "wait": "allocation_id timeout poll_interval poll_delay_function",
    },
    "chassis": {
        "create": "",
        "delete": "chassis_id",
        "get": "chassis_id fields",
        "list": DETAILED,
        "list_nodes": f"chassis_id {DETAILED} associated maintenance provision_state",
        "update": "chassis_id patch",
    },
    "conductor": {"get": "hostname fields", "list": DETAILED},
    "deploy_template": {
        "create": "",
        "delete": "template_id",
        "get": "template_id fields",
        "list": DETAILED,
        "update": "template_id patch",
    },
    "driver": {
        "delete": "driver_name",
        "get": "driver_name fields",
        "get_vendor_passthru_methods": "driver_name",
        "list": "driver_type detail fields",
        "properties": "driver_name",
        "raid_logical_disk_properties": "driver_name",
        "update": "driver_name patch http_method",
        "vendor_passthru": "driver_name method args http_method",
    },
    "events": {"create": "events"},
    "inspection_rule": {
        "create": "",
        "delete": "rule_id",
        "get": "rule_id fields",
        "list": DETAILED,
        "update": "rule_id patch",
    },
    "node": {
        "add_trait": "node_ident trait",
        "create": "",
        "delete": "node_id",
        "get": "node_id fields",
        "get_bios_setting": "node_ident name",
        "get_boot_device": "node_uuid",
        "get_by_instance_uuid": "instance_uuid fields",
        "get_console": "node_uuid",
        "get_history_event": "node_ident event",
        "get_history_list": "node_ident detail",
        "get_inventory": "node_ident",
        "get_supported_boot_devices": "node_uuid",
        "get_traits": "node_ident",
        "get_vendor_passthru_methods": "node_ident",
        "inject_nmi": "node_uuid",
        "list": f"associated maintenance {DETAILED} provision_state driver resource_class chassis"
        " fault conductor_group conductor owner retired lessee shards sharded parent_node"
        " include_children description_contains instance_name",
        "list_bios_settings": "node_ident detail fields",
        "list_children_of_node": "node_id",
        "list_firmware_components": "node_ident",
        "list_ports": f"node_id {DETAILED}",
        "list_volume_connectors": f"node_id {DETAILED}",
        "list_volume_targets": f"node_id {DETAILED}",
        "remove_all_traits": "node_ident",
        "remove_trait": "node_ident trait",
        "set_boot_device": "node_uuid boot_device persistent",
        "set_boot_mode": "node_id state",
        "set_console_mode": "node_uuid enabled",
        "set_maintenance": "node_id state maint_reason",
        "set_power_state": "node_id state soft timeout",
        "set_provision_state": "node_uuid state configdrive cleansteps rescue_password deploysteps"
        " servicesteps runbook disable_ramdisk",
        "set_secure_boot": "node_id state",
        "set_target_raid_config": "node_ident target_raid_config",
        "set_traits": "node_ident traits",
        "states": "node_uuid",
        "update": "node_id patch http_method reset_interfaces",
        "validate": "node_uuid",
        "vendor_passthru": "node_id method args http_method",
        "vif_attach": "node_ident vif_id",
        "vif_detach": "node_ident vif_id",
        "vif_list": "node_ident",
        "wait_for_provision_state": "node_ident expected_state timeout poll_interval"
        " poll_delay_function fail_on_unexpected_state",
    },
    "port": {
        "create": "",
        "delete": "port_id",
        "get": "port_id fields",
        "get_by_address": "address fields",
        "list": f"address node portgroup {DETAILED}",
        "update": "port_id patch",
    },
    "portgroup": {
        "create": "",
        "delete": "portgroup_id",
        "get": "portgroup_id fields",
        "get_by_address": "address fields",
        "list": f"node address shards {DETAILED}",
        "list_ports": f"portgroup_id {DETAILED}",
        "update": "portgroup_id patch",
    },
    "runbook": {
        "add_trait": "runbook_ident trait",
        "create": "",
        "delete": "runbook_id",
        "get": "runbook_id fields",
        "get_traits": "runbook_ident",
        "list": f"{DETAILED} project public",
        "remove_all_traits": "runbook_ident",
        "remove_trait": "runbook_ident trait",
        "update": "runbook_id patch",
    },
    "shard": {"list": ""},
    "volume_connector": {
        "create": "",
        "delete": "volume_connector_id",
        "get": "volume_connector_id fields",
        "list": f"node {DETAILED}",
        "update": "volume_connector_id patch",
    },
    "volume_target": {
        "create": "",
        "delete": "volume_target_id",
        "get": "volume_target_id fields",
        "list": f"node {DETAILED}",
        "update": "volume_target_id patch",
    },
}


SPECIMENS = {
    "verb": "manage",
    "patch": [{"op": "remove", "path": "/extra/a"}],
    "events": [{"event": "network.bind_port"}],
    "deploysteps": [],
    "cleansteps": [],
    "servicesteps": [],
    "traits": ["CUSTOM_A"],
    "fields": ["uuid"],
    "shards": ["s"],
    "target_raid_config": {},
    "args": {},
    "http_method": "GET",
    "configdrive": None,
    "detail": False,
    "limit": 1,
    "timeout": 1,
    "poll_interval": 0,
    "poll_delay_function": None,
    "soft": False,
    "enabled": True,
    "maintenance": True,
    "disable_ramdisk": True,
    "reset_interfaces": True,
    "persistent": True,
    "fail_on_unexpected_state": False,
    "os_ironic_api_version": "1.115",
}
STATES = {
    "wait_for_provision_state": {"expected_state": "active"},
    "set_boot_mode": {"state": "uefi"},
    "set_secure_boot": {"state": True},
    "set_maintenance": {"state": True},
}
LIST_KEYS = (
    "allocations chassis nodes conductors deploy_templates drivers inspection_rules ports"
    " portgroups runbooks shards connectors targets bios history firmware vifs"
)
EVERYTHING = {
    "uuid": "u",
    "name": "n",
    "state": "active",
    "provision_state": "active",
    "target_provision_state": None,
    "traits": ["CUSTOM_A"],
    "x": {"name": "x"},
    "children": ["u"],
    **{key: [{"id": "i", "uuid": "u", "name": "n"}] for key in LIST_KEYS.split()},
}
OBJECTS = {"x": {}}
OF_OBJECTS = ("validate", "get_vendor_passthru_methods")
"""The methods whose answers are objects of objects."""


def test_the_methods_of_python_ironicclient_are_here(scripted):
    client, server = scripted()
    problems = []
    for manager, known in METHODS.items():
        for method, arguments in known.items():
            server.script = [Reply(OBJECTS if method in OF_OBJECTS else EVERYTHING)]
            server.all_requests.clear()
            given = {name: SPECIMENS.get(name, "x") for name in f"{arguments} {COMMON}".split()}
            given |= STATES.get(method, {})
            try:
                getattr(getattr(client, manager), method)(**given)
            except (TypeError, exc.ClientException) as error:
                problems.append((manager, method, error))
            if not server.requests:
                problems.append((manager, method, "nothing is sent"))
    assert problems == []


def public_methods(client):
    for manager in METHODS:
        for name, method in inspect.getmembers(getattr(client, manager), inspect.ismethod):
            # The server decides what it may be told about a VIF.
            if not name.startswith("_") and name != "vif_attach":
                yield manager, name, method


def test_unknown_arguments_are_refused_before_anything_is_sent(scripted):
    client, server = scripted(Reply(EVERYTHING))
    problems = []
    for manager, name, method in public_methods(client):
        signature = inspect.signature(method)
        needed = [
            word
            for word, parameter in signature.parameters.items()
            if parameter.default is parameter.empty
            and parameter.kind is parameter.POSITIONAL_OR_KEYWORD
        ]
        known = [*needed, "os_ironic_api_version", "global_request_id", "deadline"]
        try:
            method(**{word: SPECIMENS.get(word, "x") for word in needed}, bogus=1)
        except TypeError as error:
            told = "'bogus'" in str(error)
            if told and ("call" not in signature.parameters or all(w in str(error) for w in known)):
                continue
        problems.append((manager, name))
    assert problems == []
    assert not server.all_requests


def test_a_misspelt_argument_suggests_the_right_one(scripted):
    client, server = scripted()
    with pytest.raises(TypeError) as caught:
        client.node.list(provison_state="available")
    assert str(caught.value).startswith(
        "NodeManager.list() got an unexpected keyword argument 'provison_state'. "
        "Did you mean 'provision_state'? Known arguments: associated, "
    )
    assert not server.all_requests


@pytest.mark.parametrize(
    ("manager", "attributes", "path"),
    [
        ("allocation", {"resource_class": "r", "candidate_nodes": ["n"]}, "allocations"),
        ("chassis", {"description": "d"}, "chassis"),
        ("deploy_template", {"name": "CUSTOM_A", "steps": []}, "deploy_templates"),
        ("inspection_rule", {"actions": [], "conditions": [], "priority": 5}, "inspection_rules"),
        ("node", {"driver": "d", "shard": "s"}, "nodes"),
        ("port", {"address": "a", "node_uuid": "n", "description": "d"}, "ports"),
        ("portgroup", {"node_uuid": "n", "mode": "802.3ad"}, "portgroups"),
        ("runbook", {"name": "r", "steps": [], "public": False}, "runbooks"),
        (
            "volume_connector",
            {"type": "ip", "connector_id": "c", "node_uuid": "n"},
            "volume/connectors",
        ),
        (
            "volume_target",
            {"volume_type": "t", "volume_id": "v", "boot_index": 0},
            "volume/targets",
        ),
    ],
)
def test_resources_are_created_fetched_changed_and_deleted(scripted, manager, attributes, path):
    made = {"uuid": "u", **attributes}
    client, server = scripted(
        Reply(made, 201), Reply(made), Reply({**made, "extra": {}}), Reply(status=204)
    )
    calls = getattr(client, manager)
    patch = [{"op": "add", "path": "/extra", "value": {}}]
    assert calls.create(**attributes, global_request_id="req-1").to_dict() == made
    assert calls.get("u", fields=["uuid", "extra"]).uuid == "u"
    assert calls.update("u", patch).extra == {}
    assert calls.delete("u") is None
    assert [(request.method, request.target) for request in server.requests] == [
        ("POST", f"/v1/{path}"),
        ("GET", f"/v1/{path}/u?fields=uuid,extra"),
        ("PATCH", f"/v1/{path}/u"),
        ("DELETE", f"/v1/{path}/u"),
    ]
    assert server.requests[0].json == attributes
    assert server.requests[2].json == patch
    assert server.requests[0].headers["x-openstack-request-id"] == "req-1"


def test_events_are_sent(scripted):
    client, server = scripted(Reply(status=204))
    events = [{"event": "network.bind_port", "port_id": "p"}]
    assert client.events.create(events=events) is None
    assert server.requests[0].json == {"events": events}


def test_shards_are_counted(scripted):
    client, _ = scripted(Reply({"shards": [{"name": "s", "count": 3}]}))
    assert [(shard.name, shard.count) for shard in client.shard.list()] == [("s", 3)]


def test_a_driver_has_no_more_than_the_api(scripted):
    client, server = scripted(Reply({"drivers": [{"name": "d", "hosts": []}]}))
    assert [driver.name for driver in client.driver.list(driver_type="dynamic", detail=True)] == [
        "d"
    ]
    assert server.requests[0].query == {"type": "dynamic", "detail": "True"}
