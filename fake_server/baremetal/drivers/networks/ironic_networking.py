"""The ``ironic-networking`` interface: configures switches by ``extra`` of ports.

Ironic has a service of its own for these switches. Here they take everything.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fake_server.baremetal import errors, states
from fake_server.baremetal.drivers.networks.noop import NoopNetwork
from fake_server.common.schemas import Checker

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from fake_server.baremetal.task.objects import NetworkTask, Port, Portgroup

_SCHEMAS = Path(__file__).with_name("switchport_schemas.json")
_MODES = ("access", "trunk", "hybrid")
_INSPECTION = (states.INSPECTING, states.INSPECTWAIT, states.INSPECTFAIL)


def _checking(purpose: str) -> Any:
    """Return the method that checks the network for a purpose."""
    return lambda _, task: _check_network(task, purpose)


class IronicNetworking(NoopNetwork):
    """Checks the switch ports and the aggregated links that ``extra`` describes."""

    def validate(self, task: NetworkTask) -> None:
        """Raise InvalidParameterValue for a switch port or link that can't be configured."""
        for port in task.ports:
            if switchport := port.extra.get("switchport"):
                _check_port(task, port, switchport)
        for group in task.portgroups:
            if lag := group.extra.get("lag"):
                _check_group(task, group, lag)

    add_provisioning_network = _checking("provisioning")
    add_cleaning_network = _checking("cleaning")
    add_rescuing_network = _checking("rescuing")
    add_inspection_network = _checking("inspection")
    add_servicing_network = _checking("servicing")


def _check_port(task: NetworkTask, port: Port, switchport: Mapping[str, Any]) -> None:
    if error := _checkers()["switchport"].best(switchport):
        raise errors.InvalidParameterValue(
            f"Invalid switchport configuration for port {port.uuid}: {error}"
        )
    mode = switchport["mode"]
    if port.pxe_enabled and mode != "access":
        raise errors.InvalidParameterValue(
            f"Port {port.uuid} is PXE-enabled but has switchport mode '{mode}'. PXE-enabled ports "
            "must use 'access' mode when switchport configuration is present."
        )
    link = port.local_link_connection
    if not link:
        if task.node.provision_state in _INSPECTION:
            return  # inspection is expected to find it
        raise errors.InvalidParameterValue(
            f"Port {port.uuid} has switchport configuration but is missing local_link_connection "
            f"in state: {task.node.provision_state}."
        )
    missing = [f"'{name}'" for name in ("switch_id", "port_id") if not link.get(name)]
    if missing:
        raise errors.InvalidParameterValue(
            f"Port {port.uuid} local_link_connection missing required field(s): "
            f"{', '.join(missing)}"
        )


def _check_group(task: NetworkTask, group: Portgroup, lag: Mapping[str, Any]) -> None:
    if error := _checkers()["lag"].best(lag):
        raise errors.InvalidParameterValue(
            f"Invalid LAG configuration for portgroup {group.uuid}: {error}"
        )
    members = [port for port in task.ports if port.portgroup_id == group.id]
    if not members:
        raise errors.InvalidParameterValue(
            f"Portgroup {group.uuid} has LAG configuration but no member ports"
        )
    problems = "; ".join(_problems(members))
    if problems:
        raise errors.InvalidParameterValue(
            f"Portgroup {group.uuid} has LAG configuration but: {problems}"
        )


def _problems(members: list[Port]) -> Iterator[str]:
    """Yield what the ports of an aggregated link lack."""
    configured = [port for port in members if port.extra.get("switchport")]
    plain = [port.uuid for port in members if port not in configured]
    if plain:
        yield f"member ports {', '.join(plain)} lack switchport configuration"
    loose = [
        port.uuid
        for port in configured
        if not all(port.local_link_connection.get(name) for name in ("switch_id", "port_id"))
    ]
    if loose:
        yield (
            f"member ports {', '.join(loose)} lack proper local_link_connection with switch_id and "
            "port_id fields"
        )


def _check_network(task: NetworkTask, purpose: str) -> None:
    """Raise InvalidParameterValue for a network in ``driver_info`` that can't be read."""
    value = task.node.driver_info.get(f"{purpose}_network")
    if not value:
        return
    mode, *settings = str(value).split("/")
    try:
        if not mode.strip():
            raise ValueError("mode is empty")
        if mode.strip() not in _MODES:
            raise ValueError(f"mode must be one of {_MODES}, got '{mode.strip()}'")
        if not settings:
            raise ValueError("expected at least mode/native_vlan=N")
        for setting in settings:
            name, equals, vlan = setting.partition("=")
            if not equals:
                raise ValueError(f"expected key=value, got '{setting}'")
            if name.strip() == "native_vlan":
                int(vlan)
    except ValueError as exc:
        raise errors.InvalidParameterValue(
            f"Invalid {purpose} network value '{value}'. Expected: "
            "{access|trunk|hybrid}/native_vlan=VLAN_ID[/allowed_vlans=V1,V2,Vn-Vm,...]. "
            f"Error: {exc}"
        ) from None


@cache
def _checkers() -> Mapping[str, Checker]:
    schemas: Mapping[str, Any] = json.loads(_SCHEMAS.read_text())
    return {name: Checker(schema) for name, schema in schemas.items()}
