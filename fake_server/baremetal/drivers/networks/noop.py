"""The ``noop`` provider, which does nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.baremetal.drivers.networks.base import NetworkProvider

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fake_server.baremetal.task.objects import NetworkTask


class NoopNetwork(NetworkProvider):
    """Accepts every VIF and lists none."""

    def vif_list(self, task: NetworkTask) -> list[dict[str, Any]]:
        """Return none."""
        return []

    def vif_attach(self, task: NetworkTask, vif_info: Mapping[str, Any]) -> None:
        """Accept a VIF."""

    def vif_detach(self, task: NetworkTask, vif_id: str) -> None:
        """Accept that a VIF goes."""
