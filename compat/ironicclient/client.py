"""``baremetalclient.client``, with python-ironicclient's default for the version of the API."""

from __future__ import annotations

from functools import wraps
from typing import TYPE_CHECKING, Any

from baremetalclient import client
from baremetalclient.microversion import IRONICCLIENT

if TYPE_CHECKING:
    from baremetalclient.microversion import VersionRequest
    from baremetalclient.v1.client import Client as V1Client


@wraps(client.get_client)
def get_client(
    api_version: int | str,
    auth_type: str | None = None,
    os_ironic_api_version: VersionRequest = None,
    *args: Any,
    **options: Any,
) -> V1Client:
    """Return a client; without a version, with that of python-ironicclient."""
    version = os_ironic_api_version or IRONICCLIENT
    return client.get_client(api_version, auth_type, version, *args, **options)


@wraps(client.Client)
def Client(version: int | str, *args: Any, **options: Any) -> V1Client:  # noqa: N802 - the name is ironicclient's
    """Return a client, with the endpoint and the session as the next arguments."""
    options["os_ironic_api_version"] = options.get("os_ironic_api_version") or IRONICCLIENT
    return client.Client(version, *args, **options)
