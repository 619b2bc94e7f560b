"""What the work of Nova needs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fake_server.clock import Clock
    from fake_server.compute.cloud import Cloud
    from fake_server.compute.database import Database
    from fake_server.settings import Settings


@dataclass(frozen=True, slots=True)
class Session:
    """The database, the other services, the time and the options."""

    database: Database
    cloud: Cloud
    clock: Clock
    settings: Settings

    @property
    def host(self) -> str:
        """The name of the compute service."""
        return f"{self.settings.host}-ironic"
