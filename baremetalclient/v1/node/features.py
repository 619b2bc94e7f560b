"""Features of nodes that need a certain version of the API.

From the REST API version history.
"""

from __future__ import annotations

from baremetalclient._resource.schema import NO_PATH
from baremetalclient.microversion import CLIENT_MIN, Feature, v1
from baremetalclient.v1.provision_states import VERBS


def _since(minor: int, name: str) -> Feature:
    return Feature(name, v1(minor))


def _path_since(minor: int, name: str) -> Feature:
    return Feature(name, v1(minor), NO_PATH)


RESET_INTERFACES = _since(45, "resetting the interfaces of a node")
TRAITS = Feature("node traits", v1(37), {"PUT": 405, "DELETE": 404})
VIFS = _path_since(28, "VIFs of nodes")
VIF_TO_PORT = _since(67, "attaching a VIF to a certain port or port group")
SOFT_POWER = _since(27, "soft power off and soft reboot")
POWER_TIMEOUT = _since(27, "a timeout for power states")
BOOT_MODE = _path_since(76, "setting the boot mode and secure boot")
RAID = _since(12, "target RAID configurations")
NMI = _path_since(29, "non-maskable interrupts")
INDICATORS = _path_since(63, "indicators of nodes")
VMEDIA = _path_since(89, "attaching and detaching virtual media")
VMEDIA_LIST = _path_since(93, "listing virtual media")
BIOS = _path_since(40, "BIOS settings")
BIOS_DETAIL = _since(74, "details of BIOS settings")
FIRMWARE = _path_since(86, "firmware components")
HISTORY = _path_since(78, "the history of nodes")
INVENTORY = _path_since(81, "the inventory of nodes")
CHILDREN = _path_since(83, "child nodes")

REBUILD_CONFIGDRIVE = _since(35, "rebuilding with a config drive")
BUILT_CONFIGDRIVE = _since(56, "config drives that the server builds")
DEPLOY_STEPS = _since(69, "deploy steps")
SERVICE_STEPS = _since(87, "service steps")
RUNBOOK = _since(92, "runbooks")
DISABLE_RAMDISK = {
    "clean": _since(70, "cleaning without a ramdisk"),
    "service": _since(108, "servicing without a ramdisk"),
}
PROVISION_VERBS = {
    verb: Feature(f"the provision verb {verb!r}", row.since)
    for verb, row in VERBS.items()
    if row.since > CLIENT_MIN
}
