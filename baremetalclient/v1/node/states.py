"""States of nodes: power, provisioning, maintenance, boot mode, RAID and console.

API reference, section "Node Management".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from baremetalclient import exc
from baremetalclient._resource import arguments, manager
from baremetalclient.v1.node import features

if TYPE_CHECKING:
    import os
    from typing import Unpack

    from baremetalclient._resource.arguments import CallOptions
    from baremetalclient._resource.schema import Feature
    from baremetalclient.configdrive import ConfigDrive

_POWER_TARGETS = {
    "on": "power on",
    "off": "power off",
    "reboot": "rebooting",
    "soft off": "soft power off",
    "soft reboot": "soft rebooting",
}

Steps = list[dict[str, Any]]


class NodeStates(manager.Manager[manager.ViewT]):
    """Calls about the states of nodes."""

    def states(self, node_uuid: str, **call: Unpack[CallOptions]) -> manager.ViewT:
        """Return the power, provision and other states of a node.

        :param node_uuid: the UUID or name of the node.
        :param call: the options of every call.
        """
        return self._viewed(self._call("GET", node_uuid, "states", **call))

    def set_power_state(
        self,
        node_id: str,
        state: str,
        soft: bool = False,
        timeout: int | None = None,
        **call: Unpack[CallOptions],
    ) -> None:
        """Ask for a power state; the response comes before the node has reached it.

        :param node_id: the UUID or name of the node.
        :param state: ``on``, ``off`` or ``reboot``.
        :param soft: whether the operating system is asked; only for ``off`` and ``reboot``, since
            version 1.27.
        :param timeout: seconds within which it has to happen, above 0; since version 1.27.
        :param call: the options of every call.
        :raises ValidationError: if the arguments contradict each other.
        """
        if state == "on" and soft:
            raise exc.ValidationError("Power cannot be switched on softly.")
        target = _POWER_TARGETS.get(f"soft {state}" if soft else state, state)
        body: dict[str, Any] = {"target": target}
        needed = [features.SOFT_POWER] if target.startswith("soft ") else []
        if timeout is not None:
            body["timeout"] = _positive(timeout)
            needed.append(features.POWER_TIMEOUT)
        self._call("PUT", node_id, "states", "power", body=body, features=needed, **call)

    def set_provision_state(
        self,
        node_uuid: str,
        state: str,
        configdrive: ConfigDrive | os.PathLike[str] | None = None,
        cleansteps: Steps | None = None,
        rescue_password: str | None = None,
        *,
        deploysteps: Steps | None = None,
        servicesteps: Steps | None = None,
        runbook: str | None = None,
        disable_ramdisk: bool | str | None = None,
        **call: Unpack[CallOptions],
    ) -> None:
        """Send a node on its way to a provision state; the response comes before it is there.

        :param node_uuid: the UUID or name of the node.
        :param state: the verb: ``manage``, ``provide``, ``active``, ``deleted``, ``rebuild``,
            ``clean``, ``inspect``, ``adopt``, ``abort``, ``rescue``, ``unrescue``, ``service`` or
            ``unhold``.
        :param configdrive: for ``active`` and ``rebuild``: the path of a directory, of an image or
            of a JSON file, a dictionary, base64 text or a URL.
        :param cleansteps: for ``clean``: steps with ``interface``, ``step`` and maybe ``args``.
        :param rescue_password: for ``rescue``: the password of the rescue ramdisk.
        :param deploysteps: for ``active`` and ``rebuild``: steps with a ``priority`` too; since
            version 1.69.
        :param servicesteps: for ``service``: steps; since version 1.87.
        :param runbook: for ``clean`` and ``service``: the UUID or name of a runbook instead of
            steps; since version 1.92.
        :param disable_ramdisk: for ``clean`` (since 1.70) and ``service`` (since 1.108): whether
            no ramdisk is booted.
        :param call: the options of every call.
        :raises BadRequest: if the verb does not exist or not for the state the node is in.
        """
        body, needed = _provisioning(arguments.text(state, "state"), configdrive, deploysteps)
        if cleansteps:
            body["clean_steps"] = cleansteps
        if rescue_password:
            body["rescue_password"] = rescue_password
        if servicesteps:
            body["service_steps"] = servicesteps
            needed.append(features.SERVICE_STEPS)
        if runbook:
            body["runbook"] = runbook
            needed.append(features.RUNBOOK)
        if disable_ramdisk is not None:
            body["disable_ramdisk"] = arguments.boolean(disable_ramdisk, "disable_ramdisk")
            if state in features.DISABLE_RAMDISK:
                needed.append(features.DISABLE_RAMDISK[state])
        self._call("PUT", node_uuid, "states", "provision", body=body, features=needed, **call)

    def set_maintenance(
        self,
        node_id: str,
        state: bool | str,
        maint_reason: str | None = None,
        **call: Unpack[CallOptions],
    ) -> None:
        """Put a node into maintenance, or take it out.

        :param node_id: the UUID or name of the node.
        :param state: whether it is to be in maintenance, as a boolean or as text.
        :param maint_reason: why.
        :param call: the options of every call.
        :raises InvalidAttribute: if the state is neither true nor false.
        """
        if arguments.boolean(state, "state"):
            self._call("PUT", node_id, "maintenance", body={"reason": maint_reason}, **call)
        else:
            self._call("DELETE", node_id, "maintenance", **call)

    def set_boot_mode(self, node_id: str, state: str, **call: Unpack[CallOptions]) -> None:
        """Ask for a boot mode; since version 1.76.

        :param node_id: the UUID or name of the node.
        :param state: ``uefi`` or ``bios``.
        :param call: the options of every call.
        :raises ValidationError: if there is no such mode.
        """
        if state not in ("uefi", "bios"):
            raise exc.ValidationError(f"There is no boot mode {state!r}, but 'uefi' and 'bios'.")
        needed = [features.BOOT_MODE]
        body = {"target": state}
        self._call("PUT", node_id, "states", "boot_mode", body=body, features=needed, **call)

    def set_secure_boot(self, node_id: str, state: bool | str, **call: Unpack[CallOptions]) -> None:
        """Switch secure boot on or off; since version 1.76.

        :param node_id: the UUID or name of the node.
        :param state: whether it is to be on, as a boolean or as text.
        :param call: the options of every call.
        :raises InvalidAttribute: if the state is neither true nor false.
        """
        needed = [features.BOOT_MODE]
        body = {"target": arguments.boolean(state, "state")}
        self._call("PUT", node_id, "states", "secure_boot", body=body, features=needed, **call)

    def set_target_raid_config(
        self, node_ident: str, target_raid_config: dict[str, Any], **call: Unpack[CallOptions]
    ) -> None:
        """Set the RAID configuration that the next cleaning makes; since version 1.12.

        :param node_ident: the UUID or name of the node.
        :param target_raid_config: the configuration, empty for none.
        :param call: the options of every call.
        """
        needed = [features.RAID]
        self._call(
            "PUT", node_ident, "states", "raid", body=target_raid_config, features=needed, **call
        )

    def get_console(self, node_uuid: str, **call: Unpack[CallOptions]) -> dict[str, Any]:
        """Return whether the console of a node is on, and how to reach it.

        :param node_uuid: the UUID or name of the node.
        :param call: the options of every call.
        """
        return self._call("GET", node_uuid, "states", "console", **call).object()

    def set_console_mode(
        self, node_uuid: str, enabled: bool | str, **call: Unpack[CallOptions]
    ) -> None:
        """Switch the console of a node on or off.

        :param node_uuid: the UUID or name of the node.
        :param enabled: whether it is to be on, as a boolean or as text.
        :param call: the options of every call.
        :raises InvalidAttribute: if it is neither true nor false.
        """
        body = {"enabled": arguments.boolean(enabled, "enabled")}
        self._call("PUT", node_uuid, "states", "console", body=body, **call)


def _provisioning(
    state: str,
    drive: ConfigDrive | os.PathLike[str] | None,
    deploysteps: Steps | None,
) -> tuple[dict[str, Any], list[Feature]]:
    """Return the body that asks for a state, and what the version of the API has to have."""
    body: dict[str, Any] = {"target": state}
    needed = [features.PROVISION_VERBS[state]] if state in features.PROVISION_VERBS else []
    if drive:
        from baremetalclient import configdrive

        body["configdrive"] = configdrive.prepared(drive)
        if state == "rebuild":
            needed.append(features.REBUILD_CONFIGDRIVE)
        if isinstance(body["configdrive"], dict):
            needed.append(features.BUILT_CONFIGDRIVE)
    if deploysteps:
        body["deploy_steps"] = deploysteps
        needed.append(features.DEPLOY_STEPS)
    return body, needed


def _positive(timeout: object) -> int:
    try:
        seconds = int(timeout)  # type: ignore[call-overload]  # what is no number is caught
    except (TypeError, ValueError):
        seconds = 0
    if seconds <= 0:
        raise exc.ValidationError(f"A timeout has to be a number above 0, not {timeout!r}.")
    return int(seconds)
