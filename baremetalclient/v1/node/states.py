"""States of nodes: provision, power, maintenance, boot mode, secure boot, RAID and console.

API reference, section "Node Management"; the verbs and their versions are in ``features``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from baremetalclient import exc
from baremetalclient._resource import arguments, manager
from baremetalclient._resource.lost_answers import settled
from baremetalclient._resource.resource import ResourceT
from baremetalclient.v1.node import features
from baremetalclient.v1.provision_states import FIRST_NAMES, VERBS, find_state

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Mapping, Sequence
    from typing import Unpack

    from baremetalclient._resource.arguments import CallOptions
    from baremetalclient.configdrive import ConfigDrive
    from baremetalclient.microversion import Feature
    from baremetalclient.v1.node_fields import Node
    from baremetalclient.v1.objects import Console, RAIDConfig, Steps
    from baremetalclient.v1.types import BootMode, PowerTarget, ProvisionVerb

_POWER_TARGETS = {
    "on": "power on",
    "off": "power off",
    "reboot": "rebooting",
    "soft off": "soft power off",
    "soft reboot": "soft rebooting",
}


class NodeStates(manager.Manager[ResourceT]):
    """Calls for the states of nodes."""

    def states(self, node_uuid: str | Node, **call: Unpack[CallOptions]) -> ResourceT:
        """Return the power, provision and other states of a node; it has no other fields.

        :param node_uuid: the UUID or name of the node.
        """
        response = self._call("GET", node_uuid, "states", **call)
        return self._to_resource(response, ("power_state", "provision_state"))

    def set_power_state(
        self,
        node_id: str | Node,
        state: PowerTarget,
        soft: bool = False,
        timeout: int | None = None,
        **call: Unpack[CallOptions],
    ) -> None:
        """Request a power state; the call returns before the node has reached it.

        :param node_id: the UUID or name of the node.
        :param state: ``on``, ``off`` or ``reboot``.
        :param soft: whether the operating system does it; only for ``off`` and ``reboot``, since
            version 1.27.
        :param timeout: seconds after which the server gives up, above 0; since version 1.27.
        :raises InvalidType: if ``state`` is not text.
        :raises ValidationError: if the arguments contradict each other.
        """
        arguments.text(state, "state")
        if state == "on" and soft:
            raise exc.ValidationError("soft can only be used with 'off' and 'reboot'.")
        target = _POWER_TARGETS.get(f"soft {state}" if soft else state, state)
        body: dict[str, Any] = {"target": target}
        needed = [features.SOFT_POWER] if target.startswith("soft ") else []
        if timeout is not None:
            body["timeout"] = _positive(timeout)
            needed.append(features.POWER_TIMEOUT)
        reached = target.removeprefix("soft ")
        self._change_state(
            *(node_id, "power", body, needed),
            lambda found: (
                bool(found.get("target_power_state")) or found.get("power_state") == reached
            ),
            **call,
        )

    def set_maintenance(
        self,
        node_id: str | Node,
        state: bool | str,
        maint_reason: str | None = None,
        **call: Unpack[CallOptions],
    ) -> None:
        """Put a node into maintenance, or take it out of it.

        :param node_id: the UUID or name of the node.
        :param state: whether it shall be in maintenance, as a boolean or as text.
        :param maint_reason: the reason.
        :raises InvalidAttribute: if the state is neither true nor false.
        """
        if arguments.boolean(state, "state"):
            self._call("PUT", node_id, "maintenance", body={"reason": maint_reason}, **call)
        else:
            self._call("DELETE", node_id, "maintenance", **call)

    def set_boot_mode(
        self, node_id: str | Node, state: BootMode, **call: Unpack[CallOptions]
    ) -> None:
        """Request a boot mode; since version 1.76.

        :param node_id: the UUID or name of the node.
        :param state: ``uefi`` or ``bios``.
        :raises ValidationError: if the mode is unknown.
        """
        self.resource_type.check_value("boot_mode", state)
        needed = [features.BOOT_MODE]
        body = {"target": state}
        self._call("PUT", node_id, "states", "boot_mode", body=body, features=needed, **call)

    def set_secure_boot(
        self, node_id: str | Node, state: bool | str, **call: Unpack[CallOptions]
    ) -> None:
        """Turn secure boot on or off; since version 1.76.

        :param node_id: the UUID or name of the node.
        :param state: whether it shall be on, as a boolean or as text.
        :raises InvalidAttribute: if the state is neither true nor false.
        """
        needed = [features.BOOT_MODE]
        body = {"target": arguments.boolean(state, "state")}
        self._call("PUT", node_id, "states", "secure_boot", body=body, features=needed, **call)

    def set_target_raid_config(
        self,
        node_ident: str | Node,
        target_raid_config: RAIDConfig | None,
        **call: Unpack[CallOptions],
    ) -> None:
        """Set the RAID configuration that the next cleaning applies; since version 1.12.

        :param node_ident: the UUID or name of the node.
        :param target_raid_config: the configuration, empty or None for none.
        """
        needed, wanted = [features.RAID], target_raid_config or {}
        self._call("PUT", node_ident, "states", "raid", body=wanted, features=needed, **call)

    def get_console(self, node_uuid: str | Node, **call: Unpack[CallOptions]) -> Console:
        """Return whether the console of a node is enabled, and how to connect to it.

        :param node_uuid: the UUID or name of the node.
        """
        return cast("Console", self._call("GET", node_uuid, "states", "console", **call).object())

    def set_console_mode(
        self, node_uuid: str | Node, enabled: bool | str, **call: Unpack[CallOptions]
    ) -> None:
        """Enable or disable the console of a node.

        :param node_uuid: the UUID or name of the node.
        :param enabled: whether it shall be enabled, as a boolean or as text.
        :raises InvalidAttribute: if it is neither true nor false.
        """
        body = {"enabled": arguments.boolean(enabled, "enabled")}
        self._call("PUT", node_uuid, "states", "console", body=body, **call)

    def set_provision_state(
        self,
        node_uuid: str | Node,
        state: ProvisionVerb,
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
        """Request a provision state; the call returns before the node has reached it.

        :param node_uuid: the UUID or name of the node.
        :param state: the provision verb: ``manage``, ``provide``, ``active``, ``deleted``,
            ``rebuild``, ``clean``, ``inspect``, ``adopt``, ``abort``, ``rescue``, ``unrescue``,
            ``service`` or ``unhold``.
        :param configdrive: for ``active`` and ``rebuild``: the path of a directory, of an image or
            of a JSON file, a dictionary, base64 text or a URL.
        :param cleansteps: for ``clean``: steps with ``interface``, ``step`` and maybe ``args``.
        :param rescue_password: for ``rescue``: the password for the rescue ramdisk.
        :param deploysteps: for ``active`` and ``rebuild``: steps with a ``priority``; since version
            1.69.
        :param servicesteps: for ``service``: steps; since version 1.87.
        :param runbook: for ``clean`` and ``service``: the UUID or name of a runbook instead of
            steps; since version 1.92.
        :param disable_ramdisk: for ``clean`` (since 1.70) and ``service`` (since 1.108): whether
            to run the steps without booting the ramdisk.
        :raises ValidationError: if the verb is unknown; nothing is sent.
        :raises BadRequest: if the verb is not allowed in the state of the node.
        """
        arguments.check_value("provision verb", arguments.text(state, "state"), VERBS)
        body, needed = _provision_body(state, configdrive, deploysteps)
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
        self._change_state(
            *(node_uuid, "provision", body, needed),
            lambda found: _is_on_its_way(found, state),
            **call,
        )

    def _change_state(
        self,
        node: str | Node,
        kind: str,
        body: Mapping[str, Any],
        needed: Sequence[Feature],
        is_accepted: Callable[[Mapping[str, Any]], object],
        **call: Unpack[CallOptions],
    ) -> None:
        """Request a state, and look at the node if the response is lost.

        :param is_accepted: whether the states of the node show that the request was accepted.
        """

        def change() -> bool:
            self._call("PUT", node, "states", kind, body=body, features=needed, **call)
            return True

        settled(change, lambda: bool(is_accepted(self.states(node, **call).to_dict())) or None)


def _is_on_its_way(found: Mapping[str, Any], verb: ProvisionVerb) -> bool:
    """Return whether a node goes to where a verb leads, or is there and can't have been before."""
    state, goal = find_state(found.get("provision_state")), VERBS[verb].to
    if state.is_moving:
        return goal is not None and found.get("target_provision_state") == goal
    accepted = {FIRST_NAMES.get(one, one) for one in state.verbs}
    return found.get("provision_state") == goal and FIRST_NAMES.get(verb, verb) not in accepted


def _positive(timeout: object) -> int:
    try:
        seconds = int(timeout)  # type: ignore[call-overload]  # anything but a number raises
    except (TypeError, ValueError):
        seconds = 0
    if seconds <= 0:
        raise exc.ValidationError(f"timeout has to be a number above 0, not {timeout!r}.")
    return int(seconds)


def _provision_body(
    state: str,
    drive: ConfigDrive | os.PathLike[str] | None,
    deploysteps: Steps | None,
) -> tuple[dict[str, Any], list[Feature]]:
    """Return the body of the request, and the features that the version of the API has to have."""
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
