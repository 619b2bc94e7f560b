"""The commands and where they are.

The standalone ``baremetal`` finds its commands here; looking through the entry points of all
distributions would cost it more than a request to the server. `tools/dev arguments` writes the
entry points of OpenStackClient, and a test compares them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from baremetalclient.v1.resources import RESOURCES

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

MODULE_PREFIX = "baremetalclient.osc.v1."

_VERBS = ("create", "delete", "list", "set", "show", "unset")
_FEWER_VERBS = {
    "conductor": ("list", "show"),
    "driver": ("list", "show"),
    "events": (),
    "shard": ("list",),
}
"""The verbs of resources that do not have all of them, by their modules."""
_WAITED_FOR = ("allocation", "port", "portgroup", "volume_connector", "volume_target")
"""The resources with a verb ``wait``, too."""


def _of_resources() -> Iterator[tuple[str, str]]:
    """Yield the commands that each type of resource has."""
    for module in RESOURCES:
        words = words_of(module)
        name = words.title().replace(" ", "")
        waits = ("wait",) if module in _WAITED_FOR else ()
        for verb in (*_FEWER_VERBS.get(module, _VERBS), *waits):
            yield f"{words} {verb}", f"{module}:{verb.capitalize()}Baremetal{name}"


def words_of(module: str) -> str:
    """Return what commands call a type of resource."""
    return "port group" if module == "portgroup" else module.replace("_", " ")


_OTHERS = {
    "apply": "declare:ApplyBaremetal",
    "create": "create:CreateBaremetal",
    "diff": "declare:DiffBaremetal",
    "driver passthru call": "driver:PassthruCallBaremetalDriver",
    "driver passthru list": "driver:PassthruListBaremetalDriver",
    "driver property list": "driver:ListBaremetalDriverProperty",
    "driver raid property list": "driver:ListBaremetalDriverRaidProperty",
    "export": "export:ExportBaremetal",
    "lab graph": "graph:GraphBaremetalLab",
    "node add trait": "node.traits_and_vifs:AddTraitBaremetalNode",
    "node bios setting list": "node.inventory:ListBIOSSettingBaremetalNode",
    "node bios setting show": "node.inventory:BIOSSettingShowBaremetalNode",
    "node boot device set": "node.management:BootdeviceSetBaremetalNode",
    "node boot device show": "node.management:BootdeviceShowBaremetalNode",
    "node boot mode set": "node.states:BootmodeSetBaremetalNode",
    "node children list": "node:NodeChildrenList",
    "node console disable": "node.states:ConsoleDisableBaremetalNode",
    "node console enable": "node.states:ConsoleEnableBaremetalNode",
    "node console show": "node.states:ConsoleShowBaremetalNode",
    "node explain": "node.explain:ExplainBaremetalNode",
    "node firmware list": "node.inventory:ListFirmwareComponentBaremetalNode",
    "node history get": "node.inventory:NodeHistoryEventGet",
    "node history list": "node.inventory:NodeHistoryList",
    "node indicator list": "node.management:ListIndicatorBaremetalNode",
    "node indicator set": "node.management:SetIndicatorBaremetalNode",
    "node indicator show": "node.management:ShowIndicatorBaremetalNode",
    "node inject nmi": "node.management:InjectNmiBaremetalNode",
    "node inventory save": "node.inventory:NodeInventorySave",
    "node maintenance set": "node.states:MaintenanceSetBaremetalNode",
    "node maintenance unset": "node.states:MaintenanceUnsetBaremetalNode",
    "node passthru call": "node.management:PassthruCallBaremetalNode",
    "node passthru list": "node.management:PassthruListBaremetalNode",
    "node power off": "node.states:PowerOffBaremetalNode",
    "node power on": "node.states:PowerOnBaremetalNode",
    "node reboot": "node.states:RebootBaremetalNode",
    "node remove trait": "node.traits_and_vifs:RemoveTraitBaremetalNode",
    "node secure boot off": "node.states:SecurebootOffBaremetalNode",
    "node secure boot on": "node.states:SecurebootOnBaremetalNode",
    "node trait add": "node.traits_and_vifs:AddTraitBaremetalNode",
    "node trait list": "node.traits_and_vifs:ListTraitsBaremetalNode",
    "node trait remove": "node.traits_and_vifs:RemoveTraitBaremetalNode",
    "node validate": "node.management:ValidateBaremetalNode",
    "node vif attach": "node.traits_and_vifs:VifAttachBaremetalNode",
    "node vif detach": "node.traits_and_vifs:VifDetachBaremetalNode",
    "node vif list": "node.traits_and_vifs:VifListBaremetalNode",
    "node vmedia attach": "node.management:AttachVmediaBaremetalNode",
    "node vmedia detach": "node.management:DetachVmediaBaremetalNode",
    "node vmedia list": "node.management:ListVmediaBaremetalNode",
    "node wait": "node.wait_and_watch:WaitBaremetalNode",
    "node watch": "node.wait_and_watch:WatchBaremetalNode",
    "runbook trait add": "runbook:AddTraitBaremetalRunbook",
    "runbook trait list": "runbook:ListTraitsBaremetalRunbook",
    "runbook trait remove": "runbook:RemoveTraitBaremetalRunbook",
    "server create": "server:CreateBaremetalServer",
    "server delete": "server:DeleteBaremetalServer",
    "server list": "server:ListBaremetalServer",
    "server show": "server:ShowBaremetalServer",
    "server volume attach": "server_volume:AttachBaremetalServerVolume",
    "server volume detach": "server_volume:DetachBaremetalServerVolume",
    "server volume list": "server_volume:ListBaremetalServerVolume",
    "server volume set": "server_volume:SetBaremetalServerVolume",
    "server wait": "server_wait:WaitBaremetalServer",
    "version show": "version:ShowBaremetalVersion",
    "volume attach": "volume_attachment:AttachBaremetalVolume",
    "volume attachment list": "volume_attachment:ListBaremetalVolumeAttachment",
    "volume attachment wait": "volume_attachment:WaitBaremetalVolumeAttachment",
    "volume detach": "volume_attachment:DetachBaremetalVolume",
}
"""The other commands."""

_PROVISION_VERBS = (
    *("abort", "adopt", "clean", "deploy", "inspect", "manage", "provide", "rebuild", "rescue"),
    *("service", "undeploy", "unhold", "unrescue"),
)
"""Those of `provision_states.VERBS`, which takes too long to import here; a test compares them."""

_PROVISION = {
    f"node {verb}": f"node.provision:{verb.capitalize()}BaremetalNode" for verb in _PROVISION_VERBS
}

COMMANDS: Mapping[str, str] = dict(
    sorted({**dict(_of_resources()), **_PROVISION, **_OTHERS}.items())
)
"""The module and the class of each command, by its name after ``openstack baremetal``."""

LEGACY_COMMANDS = {
    "node-vif-attach": "node.traits_and_vifs:VifAttachBaremetalNode",
    "node-vif-detach": "node.traits_and_vifs:VifDetachBaremetalNode",
    "node-vif-list": "node.traits_and_vifs:VifListBaremetalNode",
    "node-volume-connector-list": "legacy:NodeVolumeConnectorList",
    "node-volume-target-list": "legacy:NodeVolumeTargetList",
    "volume-connector-create": "legacy:VolumeConnectorCreate",
    "volume-connector-delete": "volume_connector:DeleteBaremetalVolumeConnector",
    "volume-connector-list": "legacy:VolumeConnectorList",
    "volume-connector-show": "volume_connector:ShowBaremetalVolumeConnector",
    "volume-connector-update": "legacy:VolumeConnectorUpdate",
    "volume-target-create": "legacy:VolumeTargetCreate",
    "volume-target-delete": "volume_target:DeleteBaremetalVolumeTarget",
    "volume-target-list": "legacy:VolumeTargetList",
    "volume-target-show": "volume_target:ShowBaremetalVolumeTarget",
    "volume-target-update": "legacy:VolumeTargetUpdate",
}
"""The same for the verbs of the old ``ironic`` command."""


def command_in(words: Sequence[str]) -> list[str]:
    """Return the longest beginning of some words that is a command."""
    for length in range(len(words), 0, -1):
        if " ".join(words[:length]) in COMMANDS:
            return list(words[:length])
    return []
