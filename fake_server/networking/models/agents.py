"""The agents of networking-baremetal: one for each node that has ports."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import NAMESPACE_URL, uuid5

from fake_server.common.errors import BadRequest
from fake_server.networking.models import items

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from fake_server.db.store import Record
    from fake_server.networking.models.items import NetworkingSession


def fetch(session: NetworkingSession) -> list[Record]:
    """Return all agents."""
    kept = {row["id"]: row for row in items.fetch(session, "agents")}
    found = []
    for host, names in session.hosts(session.tx).items():
        agent = _agent(session, host, names)
        found.append({**agent, **_settings(kept.get(agent["id"], {}))})
    return found


def create(session: NetworkingSession, values: Mapping[str, Any]) -> Record:
    """Refuse to create an agent: they report themselves."""
    raise BadRequest(
        "Bad agents request: Agent creation using API is not supported..", "BadRequest"
    )


def update(session: NetworkingSession, agent: Record, changes: Mapping[str, Any]) -> Record:
    """Change what administrators set of an agent, and return it."""
    items.remove(session, "agents", agent["id"])
    kept = {**_settings(agent), **changes}
    items.add(session, "agents", {"id": agent["id"], **kept})
    return {**agent, **kept}


def delete(session: NetworkingSession, agent: Record) -> None:
    """Forget what was set of an agent, which reports its node again at once."""
    items.remove(session, "agents", agent["id"])


def _agent(session: NetworkingSession, host: str, names: Collection[str]) -> Record:
    moment = f"{session.clock.now():%Y-%m-%d %H:%M:%S}"
    mappings = dict.fromkeys(sorted(names), "yes")
    return {
        "id": str(uuid5(NAMESPACE_URL, f"fake:agent:{host}")),
        "agent_type": "Baremetal Node",
        "binary": "ironic-neutron-agent",
        "topic": "N/A",
        "host": host,
        "admin_state_up": True,
        "alive": True,
        "availability_zone": None,
        "configurations": {"bridge_mappings": mappings, "log_agent_heartbeats": False},
        "created_at": moment,
        "started_at": moment,
        "heartbeat_timestamp": moment,
        "description": None,
        "resources_synced": None,
    }


def _settings(values: Mapping[str, Any]) -> Record:
    return {name: values[name] for name in ("admin_state_up", "description") if name in values}
