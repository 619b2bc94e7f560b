"""What instances were asked for with, as Nova's ``RequestSpec``."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from fake_server.compute import neutron

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from fake_server.db.store import Record


@dataclass(frozen=True)
class RequestSpec:
    """What an instance was asked for with, and how far its building has got.

    :param networks: its connections.
    :param owner: ``project_name`` and ``user_name``.
    :param security_groups: the ids of those of its new ports, if it isn't the default one.
    :param host: the only host that may be taken, if it has to be one.
    :param node: the only node that may be taken, if it has to be one.
    :param tried: the nodes that were tried.
    :param failure: why it can't be built on the last one, which is to be freed before another is
        tried.
    """

    networks: Sequence[neutron.NetworkRequest]
    owner: Mapping[str, str]
    security_groups: Sequence[str] = ()
    host: str | None = None
    node: str | None = None
    tried: Sequence[str] = ()
    failure: str | None = None

    @classmethod
    def of(cls, instance: Record) -> RequestSpec:
        """Return that of an instance."""
        stored = dict(instance["request_spec"])
        networks = [neutron.NetworkRequest(**values) for values in stored.pop("networks")]
        return cls(networks, **stored)

    def columns(self) -> dict[str, Any]:
        """Return the columns of an instance that has it."""
        return {"request_spec": asdict(self)}
