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


def _of_resources() -> Iterator[tuple[str, str]]:
    """Yield the commands that each type of resource has."""
    for module in RESOURCES:
        words = words_of(module)
        name = words.title().replace(" ", "")
        for verb in _FEWER_VERBS.get(module, _VERBS):
            yield f"{words} {verb}", f"{module}:{verb.capitalize()}Baremetal{name}"


def words_of(module: str) -> str:
    """Return what commands call a type of resource."""
    return "port group" if module == "portgroup" else module.replace("_", " ")


_OTHERS = {
    "allocation wait": "allocation:WaitBaremetalAllocation",
    "apply": "declare:ApplyBaremetal",
    "create": "create:CreateBaremetal",
    "diff": "declare:DiffBaremetal",
    "driver passthru call": "driver:PassthruCallBaremetalDriver",
    "driver passthru list": "driver:PassthruListBaremetalDriver",
    "driver property list": "driver:ListBaremetalDriverProperty",
    "driver raid property list": "driver:ListBaremetalDriverRaidProperty",
    "export": "export:ExportBaremetal",
    "node abort": "node.provision:AbortBaremetalNode",
    "node add trait": "node.traits_and_vifs:AddTraitBaremetalNode",
    "node adopt": "node.provision:AdoptBaremetalNode",
    "node bios setting list": "node.inventory:ListBIOSSettingBaremetalNode",
    "node bios setting show": "node.inventory:BIOSSettingShowBaremetalNode",
    "node boot device set": "node.management:BootdeviceSetBaremetalNode",
    "node boot device show": "node.management:BootdeviceShowBaremetalNode",
    "node boot mode set": "node.states:BootmodeSetBaremetalNode",
    "node children list": "node:NodeChildrenList",
    "node clean": "node.provision:CleanBaremetalNode",
    "node console disable": "node.states:ConsoleDisableBaremetalNode",
    "node console enable": "node.states:ConsoleEnableBaremetalNode",
    "node console show": "node.states:ConsoleShowBaremetalNode",
    "node deploy": "node.provision:DeployBaremetalNode",
    "node explain": "node.explain:ExplainBaremetalNode",
    "node firmware list": "node.inventory:ListFirmwareComponentBaremetalNode",
    "node history get": "node.inventory:NodeHistoryEventGet",
    "node history list": "node.inventory:NodeHistoryList",
    "node indicator list": "node.management:ListIndicatorBaremetalNode",
    "node indicator set": "node.management:SetIndicatorBaremetalNode",
    "node indicator show": "node.management:ShowIndicatorBaremetalNode",
    "node inject nmi": "node.management:InjectNmiBaremetalNode",
    "node inspect": "node.provision:InspectBaremetalNode",
    "node inventory save": "node.inventory:NodeInventorySave",
    "node maintenance set": "node.states:MaintenanceSetBaremetalNode",
    "node maintenance unset": "node.states:MaintenanceUnsetBaremetalNode",
    "node manage": "node.provision:ManageBaremetalNode",
    "node passthru call": "node.management:PassthruCallBaremetalNode",
    "node passthru list": "node.management:PassthruListBaremetalNode",
    "node power off": "node.states:PowerOffBaremetalNode",
    "node power on": "node.states:PowerOnBaremetalNode",
    "node provide": "node.provision:ProvideBaremetalNode",
    "node reboot": "node.states:RebootBaremetalNode",
    "node rebuild": "node.provision:RebuildBaremetalNode",
    "node remove trait": "node.traits_and_vifs:RemoveTraitBaremetalNode",
    "node rescue": "node.provision:RescueBaremetalNode",
    "node secure boot off": "node.states:SecurebootOffBaremetalNode",
    "node secure boot on": "node.states:SecurebootOnBaremetalNode",
    "node service": "node.provision:ServiceBaremetalNode",
    "node trait add": "node.traits_and_vifs:AddTraitBaremetalNode",
    "node trait list": "node.traits_and_vifs:ListTraitsBaremetalNode",
    "node trait remove": "node.traits_and_vifs:RemoveTraitBaremetalNode",
    "node undeploy": "node.provision:UndeployBaremetalNode",
    "node unhold": "node.provision:UnholdBaremetalNode",
    "node unrescue": "node.provision:UnrescueBaremetalNode",
    "node validate": "node.management:ValidateBaremetalNode",
    "node vif attach": "node.traits_and_vifs:VifAttachBaremetalNode",
    "node vif detach": "node.traits_and_vifs:VifDetachBaremetalNode",
    "node vif list": "node.traits_and_vifs:VifListBaremetalNode",
    "node vmedia attach": "node.management:AttachVmediaBaremetalNode",
    "node vmedia detach": "node.management:DetachVmediaBaremetalNode",
    "node vmedia list": "node.management:ListVmediaBaremetalNode",
    "node wait": "node.wait_and_watch:WaitBaremetalNode",
    "node watch": "node.wait_and_watch:WatchBaremetalNode",
    "port group wait": "portgroup:WaitBaremetalPortGroup",
    "port wait": "port:WaitBaremetalPort",
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
    "volume connector wait": "volume_connector:WaitBaremetalVolumeConnector",
    "volume detach": "volume_attachment:DetachBaremetalVolume",
    "volume target wait": "volume_target:WaitBaremetalVolumeTarget",
}
"""The other commands."""

COMMANDS: Mapping[str, str] = dict(sorted({**dict(_of_resources()), **_OTHERS}.items()))
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
