"""The representation of resources in the API."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from fake_server.identity import catalog as catalogs
from fake_server.identity import models, roles

if TYPE_CHECKING:
    from fake_server.db.store import Record


def project(row: Record) -> dict[str, Any]:
    """Return a project."""
    return {
        "id": row["id"],
        "name": row["name"],
        "domain_id": models.DOMAIN["id"],
        "parent_id": models.DOMAIN["id"],
        "description": "",
        "enabled": True,
        "is_domain": False,
        "tags": [],
        "options": {},
    }


def user(row: Record) -> dict[str, Any]:
    """Return a user, without the password."""
    return {
        "id": row["id"],
        "name": row["name"],
        "domain_id": models.DOMAIN["id"],
        "default_project_id": row["default_project_id"],
        "enabled": True,
        "password_expires_at": None,
        "options": {},
    }


def domain() -> dict[str, Any]:
    """Return the one domain."""
    return {**models.DOMAIN, "description": "", "enabled": True, "tags": [], "options": {}}


def role(name: str) -> dict[str, Any]:
    """Return a role by its name."""
    ident = roles.identify("role", name)
    return {"id": ident, "name": name, "domain_id": None, "description": None, "options": {}}


def region() -> dict[str, Any]:
    """Return the one region."""
    return {"id": catalogs.REGION, "description": "", "parent_region_id": None}


def timestamp(seconds: float) -> str:
    """Return a moment, given in seconds since the epoch."""
    return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%dT%H:%M:%S.%fZ}"
