"""The types of resources: the registry that the client, commands, completion and docs follow."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable

    from baremetalclient._http.baremetal import HTTPClient
    from baremetalclient._resource.schema import ResourceType
    from baremetalclient.v1.allocation import AllocationManager
    from baremetalclient.v1.chassis import ChassisManager
    from baremetalclient.v1.conductor import ConductorManager
    from baremetalclient.v1.deploy_template import DeployTemplateManager
    from baremetalclient.v1.driver import DriverManager
    from baremetalclient.v1.events import EventManager
    from baremetalclient.v1.inspection_rule import InspectionRuleManager
    from baremetalclient.v1.node import NodeManager
    from baremetalclient.v1.port import PortManager
    from baremetalclient.v1.portgroup import PortgroupManager
    from baremetalclient.v1.runbook import RunbookManager
    from baremetalclient.v1.shard import ShardManager
    from baremetalclient.v1.volume_connector import VolumeConnectorManager
    from baremetalclient.v1.volume_target import VolumeTargetManager


class Managers:
    """The managers of a client, each with the calls for one type of resource.

    A row is a type of resource, with the name of its module. A module is imported when its manager
    is first used.
    """

    http_client: HTTPClient

    allocation: AllocationManager
    chassis: ChassisManager
    conductor: ConductorManager
    deploy_template: DeployTemplateManager
    driver: DriverManager
    events: EventManager
    inspection_rule: InspectionRuleManager
    node: NodeManager
    port: PortManager
    portgroup: PortgroupManager
    runbook: RunbookManager
    shard: ShardManager
    volume_connector: VolumeConnectorManager
    volume_target: VolumeTargetManager

    if not TYPE_CHECKING:  # to checkers, only the declared managers exist

        def __getattr__(self, name: str) -> Any:
            if name not in RESOURCES:
                raise AttributeError(f"A client has no attribute {name!r}.", name=name, obj=self)
            manager = manager_class(name)(self.http_client)
            setattr(self, name, manager)
            return manager

    def __dir__(self) -> Iterable[str]:
        return [*super().__dir__(), *RESOURCES]


RESOURCES: dict[str, str] = {
    name: manager
    for name, manager in Managers.__annotations__.items()
    if manager.endswith("Manager")
}
"""The names of the classes of managers by the names of their modules."""


def manager_class(name: str) -> type[Any]:
    """Return the class of a manager.

    :param name: the name of its module.
    """
    module = importlib.import_module(f"baremetalclient.v1.{name}")
    found: type[Any] = getattr(module, RESOURCES[name])
    return found


def resource_type(name: str) -> ResourceType:
    """Return the description of a type of resource.

    :param name: the name of its module.
    """
    found: ResourceType = manager_class(name).resource_class.resource_type
    return found
