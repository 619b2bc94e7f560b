"""What a version lacks raises an exception with the status that the server would respond with."""

from __future__ import annotations

import pytest
import requests

from baremetalclient import exc
from baremetalclient.v1.node import features

PATCH = [{"op": "add", "path": "/extra/a", "value": 1}]
STEP = {"interface": "deploy", "step": "x", "args": {}}

CALLS = {
    "resource class": (20, lambda ironic, _: ironic.node.list(resource_class="x")),
    "field of a new node": (50, lambda ironic, _: ironic.node.create(driver="d", description="x")),
    "selected field": (50, lambda ironic, node: ironic.node.get(node, ["description"])),
    "patched field": (50, lambda ironic, node: ironic.node.update(node, DESCRIBED)),
    "verb": (37, lambda ironic, node: ironic.node.set_provision_state(node, "unrescue")),
    "soft power": (26, lambda ironic, node: ironic.node.set_power_state(node, "off", soft=True)),
    "RAID": (11, lambda ironic, node: ironic.node.set_target_raid_config(node, {})),
    "traits": (36, lambda ironic, node: ironic.node.get_traits(node)),
    "removing a trait": (36, lambda ironic, node: ironic.node.remove_trait(node, "CUSTOM_A")),
    "VIFs": (27, lambda ironic, node: ironic.node.vif_list(node)),
    "boot mode": (75, lambda ironic, node: ironic.node.set_boot_mode(node, "uefi")),
    "NMI": (28, lambda ironic, node: ironic.node.inject_nmi(node)),
    "BIOS settings": (39, lambda ironic, node: ironic.node.list_bios_settings(node)),
    "firmware": (85, lambda ironic, node: ironic.node.list_firmware_components(node)),
    "history": (77, lambda ironic, node: ironic.node.get_history_list(node)),
    "inventory": (80, lambda ironic, node: ironic.node.get_inventory(node)),
    "port groups": (22, lambda ironic, _: ironic.portgroup.list()),
    "deleted port group": (22, lambda ironic, _: ironic.portgroup.delete("x")),
    "volume connectors": (31, lambda ironic, _: ironic.volume_connector.list(fields=["uuid"])),
    "deleted volume target": (31, lambda ironic, _: ironic.volume_target.delete("x")),
    "conductors": (48, lambda ironic, _: ironic.conductor.list()),
    "allocations": (51, lambda ironic, _: ironic.allocation.list()),
    "changed allocation": (56, lambda ironic, _: ironic.allocation.update("x", PATCH)),
    "deploy templates": (54, lambda ironic, _: ironic.deploy_template.get("x")),
    "new deploy template": (
        54,
        lambda ironic, _: ironic.deploy_template.create(name="CUSTOM_A", steps=[STEP]),
    ),
    "runbooks": (91, lambda ironic, _: ironic.runbook.list(project="x")),
    "traits of a runbook": (111, lambda ironic, _: ironic.runbook.get_traits("x")),
    "inspection rules": (95, lambda ironic, _: ironic.inspection_rule.list()),
}
DESCRIBED = [{"op": "add", "path": "/description", "value": "x"}]


def test_the_status_is_that_of_the_server(connect, node, request, newest):
    if request.config.getoption("--dialect") == "spec":
        pytest.skip("there it is 406, whatever the version lacks")
    refused, responded = {}, {}
    for name, (minor, call) in CALLS.items():
        if minor > newest.minor:
            continue
        careful, careless = (connect(os_ironic_api_version=f"1.{minor}") for _ in range(2))
        careless.http_client.request = unchecked(careless.http_client.request)
        with pytest.raises(exc.ClientException) as response:
            call(careless, node.uuid)
        with pytest.raises(exc.UnsupportedVersion) as refusal:
            call(careful, node.uuid)
        responded[name] = response.value.http_status
        refused[name] = refusal.value.http_status
    assert refused == responded


def unchecked(send):
    """Send requests whatever features they need."""
    return lambda *arguments, features=(), **options: send(*arguments, **options)


REFUSALS = (404, 405, 406)
READ = [
    (features.TRAITS, "traits"),
    (features.VIFS, "vifs"),
    (features.HISTORY, "history"),
    (features.CHILDREN, "children"),
    (features.BIOS, "bios"),
    (features.BIOS_DETAIL, "bios?detail=True"),
    (features.FIRMWARE, "firmware"),
]
CHANGED = [
    (features.SOFT_POWER, "PUT", "states/power", {"target": "soft power off"}),
    (features.POWER_TIMEOUT, "PUT", "states/power", {"target": "power off", "timeout": 60}),
    (features.BOOT_MODE, "PUT", "states/boot_mode", {"target": "uefi"}),
    (features.RAID, "PUT", "states/raid", {}),
    (features.NMI, "PUT", "management/inject_nmi", {}),
    (features.VMEDIA, "DELETE", "vmedia", None),
    (features.VMEDIA_LIST, "GET", "vmedia", None),
]


def test_features_are_there_since_their_versions(server_url, make_node, newest):
    problems = []

    def ask(feature, method, path, body=None):
        """Return the status in the version before the feature, and in that of the feature."""
        if feature.since > newest:
            return None
        url = f"{server_url}/v1/nodes/{make_node().uuid}/{path}"
        return [
            requests.request(
                method,
                url,
                json=body,
                headers={"X-OpenStack-Ironic-API-Version": f"1.{minor}"},
                timeout=60,
            ).status_code
            for minor in (feature.since.minor - 1, feature.since.minor)
        ]

    def check(name, statuses, before, since):
        if statuses and not (before(statuses[0]) and since(statuses[1])):
            problems.append((name, statuses))

    for verb, feature in features.PROVISION_VERBS.items():
        found = ask(feature, "PUT", "states/provision", {"target": verb})
        check(verb, found, lambda status: status in (400, 406), lambda status: status != 406)
    for feature, path in READ:
        found = ask(feature, "GET", path)
        check(path, found, lambda status: status >= 400, lambda status: status == 200)
    for feature, method, path, body in CHANGED:
        found = ask(feature, method, path, body)
        check(path, found, REFUSALS.__contains__, lambda status: status not in REFUSALS)
    assert problems == []


def test_the_default_of_python_ironicclient_can_be_requested(connect):
    ironic = connect(os_ironic_api_version="ironicclient")
    node = ironic.node.create(driver="fake-hardware")
    ironic.node.delete(node.uuid)
    assert node.provision_state == "available"
    assert len(node.to_dict()) == 27
