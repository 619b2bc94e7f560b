"""The arguments of ``PUT …/states/provision``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class ProvisionRequest:
    """A verb and its arguments, by their names in the API."""

    target: str | None
    configdrive: dict[str, Any] | str | None = None
    clean_steps: list[Any] | None = None
    deploy_steps: list[Any] | None = None
    rescue_password: str | None = None
    disable_ramdisk: bool | None = None
    service_steps: list[Any] | None = None
    runbook: str | None = None
