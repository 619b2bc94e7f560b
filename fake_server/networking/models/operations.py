"""What is done with items of each kind, by the functions of its module."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fake_server.networking.kinds import KINDS
from fake_server.networking.models import (
    address_groups,
    address_scopes,
    agents,
    floatingips,
    items,
    networks,
    ports,
    qos,
    rbac,
    routers,
    security_group_rules,
    security_groups,
    segments,
    subnetpools,
    subnets,
    trunks,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from fake_server.db.store import Record
    from fake_server.networking.models.items import NetworkingSession

    Complete = Callable[[NetworkingSession, Sequence[Record]], Sequence[Record]]


@dataclass(frozen=True)
class Operations:
    """The operations of a kind.

    :param create: creates an item from its attributes; other arguments are for seeds.
    :param delete: removes an item.
    :param update: changes attributes of an item; ``None`` where nothing follows from that.
    :param complete: adds to items what the API shows of others in them.
    :param fetch: returns all items, where they aren't those that are kept.
    """

    create: Callable[..., Record]
    delete: Callable[[NetworkingSession, Record], None]
    update: Callable[[NetworkingSession, Record, Mapping[str, Any]], Record] | None = None
    complete: Complete = lambda _, rows: rows
    fetch: Callable[[NetworkingSession], list[Record]] | None = None


def need(session: NetworkingSession, kind: str, ident: str) -> Record:
    """Return something by its id; raise NotFound if there is no such thing."""
    fetch = OPERATIONS[kind].fetch if kind in OPERATIONS else None
    if fetch is None:
        return items.need(session, kind, ident)
    for item in fetch(session):
        if item["id"] == ident:
            return item
    raise KINDS[kind].missing(ident)


#: By the kind's name.
OPERATIONS: Mapping[str, Operations] = {
    "networks": Operations(networks.create, networks.delete, networks.update, networks.complete),
    "subnets": Operations(subnets.create, subnets.delete, subnets.update, subnets.complete),
    "ports": Operations(ports.create, ports.delete, ports.update, ports.complete),
    "segments": Operations(segments.create, segments.delete),
    "trunks": Operations(trunks.create, trunks.delete, complete=trunks.complete),
    "agents": Operations(agents.create, agents.delete, agents.update, fetch=agents.fetch),
    "security_groups": Operations(
        security_groups.create,
        security_groups.delete,
        security_groups.update,
        security_groups.complete,
    ),
    "security_group_rules": Operations(security_group_rules.create, security_group_rules.delete),
    "routers": Operations(routers.create, routers.delete, routers.update, routers.complete),
    "floatingips": Operations(
        floatingips.create, floatingips.delete, floatingips.update, floatingips.complete
    ),
    "address_groups": Operations(address_groups.create, address_groups.delete),
    "address_scopes": Operations(
        address_scopes.create, address_scopes.delete, address_scopes.update
    ),
    "subnetpools": Operations(subnetpools.create, subnetpools.delete, subnetpools.update),
    "rbac_policies": Operations(rbac.create, rbac.delete, rbac.update),
    "policies": Operations(qos.create, qos.delete, qos.update),
}
