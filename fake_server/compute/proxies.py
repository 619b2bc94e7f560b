"""Requests that older versions pass on to the other services."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.common.errors import with_status
from fake_server.compute import microversions
from fake_server.compute.cloud import Refused

if TYPE_CHECKING:
    from collections.abc import Callable

    from fake_server.compute.context import Context


def permit(ctx: Context, policy: str) -> None:
    """Raise NotFound in versions that pass nothing on, Forbidden if a policy says so."""
    ctx.until(microversions.NO_NETWORK_PROXIES)
    ctx.require(policy)


def pass_on(
    ctx: Context,
    service: Callable[..., Any],
    method: str,
    path: str,
    body: Any = None,
    *,
    until: int = microversions.NO_NETWORK_PROXIES,
    missing: str | None = None,
    conflict: int = 409,
    **options: Any,
) -> Any:
    """Ask a service as the client that asks, and refuse with the words of the service.

    :param service: one of those of :class:`~fake_server.compute.cloud.Cloud`.
    :param path: percent-encoded.
    :param until: the version in which Nova stopped to do so.
    :param missing: what is said instead of what isn't found.
    :param conflict: the status of what conflicts.
    :param options: further arguments of the service.
    :returns: its answer.
    """
    ctx.until(until)
    try:
        return service(method, path, body, caller=ctx.caller, **options)
    except Refused as exc:
        status = conflict if exc.status == 409 else exc.status
        message = missing if missing is not None and status == 404 else str(exc)
        raise with_status(status, message) from exc
