"""The versions in the client's table of features, held against what the server does."""

from __future__ import annotations

import pytest
import requests

from baremetalclient.microversion import Version
from baremetalclient.v1.node import features

REFUSALS = (404, 405, 406)


@pytest.fixture
def ask(server_url, node, newest):
    """Send a request about a node in a version of the API; return the status."""

    def send(version, method, path, body=None):
        if version > newest:
            pytest.skip(f"This Ironic doesn't know version {version}.")
        return requests.request(
            method,
            f"{server_url}/v1/nodes/{node.uuid}/{path}",
            json=body,
            headers={"X-OpenStack-Ironic-API-Version": str(version)},
            timeout=60,
        ).status_code

    return send


def before(feature):
    return Version(1, feature.since.minor - 1)


@pytest.mark.parametrize("verb", features.PROVISION_VERBS)
def test_verbs(ask, verb):
    feature = features.PROVISION_VERBS[verb]
    request = ("PUT", "states/provision", {"target": verb})
    assert ask(before(feature), *request) in (400, 406)
    assert ask(feature.since, *request) != 406


@pytest.mark.parametrize(
    ("feature", "path"),
    [
        (features.TRAITS, "traits"),
        (features.VIFS, "vifs"),
        (features.HISTORY, "history"),
        (features.CHILDREN, "children"),
    ],
)
def test_what_is_below_a_node(ask, feature, path):
    assert ask(before(feature), "GET", path) >= 400
    assert ask(feature.since, "GET", path) == 200


@pytest.mark.parametrize(
    ("feature", "path"),
    [
        (features.BIOS, "bios"),
        (features.BIOS_DETAIL, "bios?detail=True"),
        (features.FIRMWARE, "firmware"),
    ],
)
def test_the_hardware_of_a_node(ask, feature, path):
    assert ask(before(feature), "GET", path) >= 400
    assert ask(feature.since, "GET", path) == 200


@pytest.mark.parametrize(
    ("feature", "path", "body"),
    [
        (features.SOFT_POWER, "states/power", {"target": "soft power off"}),
        (features.POWER_TIMEOUT, "states/power", {"target": "power off", "timeout": 60}),
        (features.BOOT_MODE, "states/boot_mode", {"target": "uefi"}),
        (features.RAID, "states/raid", {}),
        (features.NMI, "management/inject_nmi", {}),
    ],
)
def test_states(ask, feature, path, body):
    assert ask(before(feature), "PUT", path, body) in REFUSALS
    assert ask(feature.since, "PUT", path, body) not in REFUSALS


@pytest.mark.parametrize(
    ("feature", "method", "path"),
    [
        (features.VMEDIA, "DELETE", "vmedia"),
        (features.VMEDIA_LIST, "GET", "vmedia"),
    ],
)
def test_virtual_media(ask, feature, method, path):
    assert ask(before(feature), method, path) in REFUSALS
    assert ask(feature.since, method, path) not in REFUSALS
