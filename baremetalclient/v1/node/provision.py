"""Provision states of nodes.

API reference, section "Node Management"; the verbs and their versions are in ``features``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from baremetalclient._resource import arguments, manager
from baremetalclient._resource.resource import ResourceT
from baremetalclient.v1.node import features

if TYPE_CHECKING:
    import os
    from typing import Unpack

    from baremetalclient._resource.arguments import CallOptions
    from baremetalclient._resource.schema import Feature
    from baremetalclient.configdrive import ConfigDrive
    from baremetalclient.v1.node import Node
    from baremetalclient.v1.objects import Steps
    from baremetalclient.v1.types import ProvisionVerb


class NodeProvision(manager.Manager[ResourceT]):
    """Calls for the provision states of nodes."""

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
        :raises BadRequest: if the verb is unknown or not allowed in the state of the node.
        """
        body, needed = _provision_body(arguments.text(state, "state"), configdrive, deploysteps)
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
