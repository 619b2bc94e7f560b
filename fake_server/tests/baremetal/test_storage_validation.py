"""What nodes need to boot from volumes, as ``GET /v1/nodes/{node}/validate`` says."""

from __future__ import annotations

import pytest

from fake_server.settings import ENABLED_INTERFACES
from fake_server.tests.baremetal.api import Api

CINDER = "Failed to validate cinder storage interface for node {node}. "
UNEXPECTED = (
    "Unexpected exception, traceback saved into log by ironic conductor service that is running on "
    "localhost: "
)
IQN = ("iqn", "iqn.2010-10.org.openstack:a")
IMAGE = {"image_source": "http://192.0.2.1/i"}
WWPN, WWNN = ("wwpn", "a"), ("wwnn", "b")
BOTH = "iscsi_boot:true,fibre_channel_boot:true"


def validated(storage, connectors=(), targets=(), capabilities="", boot="ipxe", **fields):
    """Return what is said of a node's storage interface; UUIDs are replaced by names."""
    interfaces = {
        **ENABLED_INTERFACES,
        "boot": ("fake", "ipxe", "pxe"),
        "storage": ("noop", "fake", "cinder", "external"),
    }
    api = Api(interfaces=interfaces)
    uuid = api.enrol(
        storage_interface=storage,
        boot_interface=boot,
        properties={"capabilities": capabilities},
        **fields,
    )
    names = {uuid: "{node}"}
    for kind, connector_id in connectors:
        body = {"node_uuid": uuid, "type": kind, "connector_id": connector_id}
        assert api("POST", "/v1/volume/connectors", body)[0] == 201
    for index, kind in enumerate(targets):
        body = {
            "node_uuid": uuid,
            "volume_type": kind,
            "boot_index": index,
            "volume_id": f"v{index}",
        }
        names[api("POST", "/v1/volume/targets", body)[1]["uuid"]] = f"{{target {index}}}"
    found = api("GET", "/v1/nodes/n/validate")[1]["storage"]
    reason = found.get("reason", "")
    for value, name in names.items():
        reason = reason.replace(value, name)
    return found["result"], reason


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        (
            {"connectors": [IQN], "boot": "pxe"},
            "The [pxe]/ipxe_enabled option must be set to True or the boot interface must be set "
            "to ``ipxe`` to support network booting to an iSCSI volume.",
        ),
        (
            {"connectors": [("ip", "192.0.2.1"), IQN], "boot": "pxe"},
            "The [pxe]/ipxe_enabled option must be set to True or the boot interface must be set "
            "to ``ipxe`` to support network booting to an iSCSI volume.",
        ),
        (
            {"connectors": [WWPN, ("wwpn", "c"), WWNN]},
            "Cinder requires both wwnn and wwpn entries for FCoE connections. There must be a wwpn "
            "entry for every wwnn entry. There are 2 wwpn entries and 1 wwnn entries.",
        ),
        (
            {"capabilities": "iscsi_boot:true"},
            "In order to enable the 'iscsi_boot' capability for the node, an associated "
            "volume_connector type must be valid for iSCSI (iqn).",
        ),
        (
            {"capabilities": "fibre_channel_boot:true", "connectors": [IQN]},
            "In order to enable the 'fibre_channel_boot' capability for the node, an associated "
            "volume_connector type must be valid for Fibre Channel (wwpn, wwnn).",
        ),
        (
            {"targets": ["moon"]},
            "Volume target {target 0} is of an unknown type 'moon'. Supported types: 'iscsi' or "
            "'fibre_channel'",
        ),
        (
            {"targets": ["iscsi"], "connectors": [IQN]},
            "Volume target {target 0} is configured for 'iscsi', however the capability "
            "'iscsi_boot' is not set for the node.",
        ),
        (
            {"targets": ["fibre_channel"], "connectors": [WWPN, WWNN]},
            "Volume target {target 0} is configured for 'fibre_channel', however the capability "
            "'fibre_channel_boot' is not set on node.",
        ),
        (
            {
                "targets": ["fibre_channel", "iscsi"],
                "capabilities": "fibre_channel_boot:true",
                "connectors": [WWPN, WWNN],
            },
            "Volume target {target 1} is configured for 'iscsi', however no iSCSI connectors are "
            "configured for the node.",
        ),
        (
            {
                "targets": ["iscsi", "fibre_channel"],
                "capabilities": "iscsi_boot:true",
                "connectors": [IQN],
            },
            "Volume target {target 1} is configured for 'fibre_channel', however no Fibre Channel "
            "WWPNs are configured for the node volume connectors.",
        ),
    ],
)
def test_cinder_refuses(given, reason):
    found, text = validated("cinder", **given)
    # Ironic doesn't expect the error of unpaired names.
    text = text.removeprefix(UNEXPECTED)
    assert (found, text) == (False, CINDER + reason)


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"boot": "fake"},
        {"connectors": [WWPN, WWNN], "boot": "fake"},
        {"connectors": [IQN]},
        {"connectors": [("ip", "192.0.2.1")], "boot": "pxe"},
        {"targets": ["iscsi"], "capabilities": "iscsi_boot:true", "connectors": [IQN]},
        {
            "targets": ["iscsi", "fibre_channel"],
            "capabilities": BOTH,
            "connectors": [IQN, WWPN, WWNN],
        },
    ],
)
def test_cinder_takes(given):
    assert validated("cinder", **given) == (True, "")


@pytest.mark.parametrize(
    ("given", "taken"),
    [
        ({"boot": "pxe"}, True),
        ({"boot": "pxe", "targets": ["iscsi"]}, False),
        ({"boot": "ipxe", "targets": ["iscsi"]}, True),
        ({"boot": "pxe", "targets": ["iscsi"], "instance_info": IMAGE}, True),
    ],
)
def test_external_needs_ipxe_to_boot_from_a_volume(given, taken):
    reason = (
        "Failed to validate external storage interface for node {node}. To support network booting "
        "to an iSCSI volume, the boot interface must be set to ``ipxe``."
    )
    assert validated("external", **given) == (taken, "" if taken else reason)


@pytest.mark.parametrize("storage", ["noop", "fake"])
def test_without_volumes_nothing_is_needed(storage):
    given = {"targets": ["moon"], "connectors": [WWPN], "boot": "fake"}
    assert validated(storage, **given) == (True, "")
