"""Vendor passthru: methods that are specific to drivers.

API reference, section "Vendor Passthru".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from baremetalclient import exc
from baremetalclient._http import urls
from baremetalclient._http.sender import NOT_GIVEN
from baremetalclient._resource import manager
from baremetalclient._resource.arguments import http_verb
from baremetalclient._resource.resource import ResourceT

if TYPE_CHECKING:
    from typing import Unpack

    from baremetalclient._resource.arguments import CallOptions


class VendorPassthru(manager.Manager[ResourceT]):
    """Calls of vendor methods."""

    def _vendor_passthru(
        self,
        identifier: object,
        method: str,
        arguments: dict[str, Any] | None,
        http_method: str | None,
        **call: Unpack[CallOptions],
    ) -> Any:
        """Call a vendor method; return an object as a resource, any other JSON as it is."""
        verb = http_verb(http_method or "POST")
        in_query = verb in ("GET", "DELETE")
        response = self._call(
            verb,
            identifier,
            "vendor_passthru",
            urls.segment(method, "vendor method"),
            parameters=arguments if in_query else None,
            body=NOT_GIVEN if in_query else arguments or {},
            **call,
        )
        if not response.body:
            return None
        try:
            decoded = response.json()
        except exc.InvalidResponse:
            return response.body
        return self.resource_class(self, decoded) if isinstance(decoded, dict) else decoded

    def _vendor_passthru_methods(
        self, identifier: object, **call: Unpack[CallOptions]
    ) -> dict[str, Any]:
        response = self._call("GET", identifier, "vendor_passthru", "methods", **call)
        return response.objects(http_methods=list)
