"""Plain requests, for programs that use the paths of the API themselves.

``client.http_client`` of python-ironicclient is an adapter of keystoneauth1. This is the part of it
that programs use.
"""

from __future__ import annotations

from functools import partialmethod
from typing import TYPE_CHECKING, Any

from baremetalclient._http import urls
from baremetalclient._http.baremetal import VERSION_HEADER, HTTPClient
from baremetalclient._http.sender import NOT_GIVEN
from baremetalclient.microversion import parse_request

if TYPE_CHECKING:
    from collections.abc import Mapping

    from baremetalclient._http.response import Response
    from baremetalclient.microversion import VersionRequest


class Adapter(HTTPClient):
    """Send requests that no manager has a method for."""

    @property
    def os_ironic_api_version(self) -> str | list[str]:
        """The version in use; before it is negotiated, ``latest`` or all that are acceptable.

        A version that is set counts for all later calls.
        """
        if len(self.requested) != 1 and self.knows_server_range:
            return str(self.negotiated_version())
        if not self.requested:
            return "latest"
        versions = [str(version) for version in self.requested]
        return versions[0] if len(versions) == 1 else versions

    @os_ironic_api_version.setter
    def os_ironic_api_version(self, version: VersionRequest) -> None:
        self.requested = parse_request(version)

    def negotiate_version(self, conn: object = None, resp: object = None) -> str:
        """Negotiate the version with the server and return it as text.

        :param conn: not used.
        :param resp: not used.
        :raises UnsupportedVersion: if client and server have no acceptable version in common.
        """
        return str(self.negotiated_version())

    def json_request(
        self,
        method: str,
        url: str,
        *,
        body: Any = NOT_GIVEN,
        json: Any = NOT_GIVEN,
        headers: Mapping[str, str] | None = None,
        params: Mapping[str, Any] | None = None,
    ) -> tuple[Response, Any]:
        """Send a request and return the response and its decoded body.

        :param method: the HTTP method.
        :param url: the path from ``/v1`` on, or a whole URL below the endpoint; quoted already.
        :param body: what to send as JSON, or the bytes to send.
        :param json: the same.
        :param headers: headers of this request, also the version.
        :param params: parameters of the query.
        :returns: the response, and its decoded JSON; an empty list if it has no body, None if the
            body is something else.
        :raises ClientException: as the methods of managers do.
        """
        response = self.raw_request(
            method, url, data=json if body is NOT_GIVEN else body, headers=headers, params=params
        )
        if not response.body:
            return response, []
        is_json = "json" in response.headers.get("Content-Type", "")
        return response, response.json() if is_json else None

    def raw_request(
        self,
        method: str,
        url: str,
        *,
        data: Any = NOT_GIVEN,
        headers: Mapping[str, str] | None = None,
        params: Mapping[str, Any] | None = None,
    ) -> Response:
        """Send a request and return the response.

        :param method: the HTTP method.
        :param url: the path from ``/v1`` on, or a whole URL below the endpoint; quoted already.
        :param data: what to send as JSON, or the bytes to send.
        :param headers: headers of this request, also the version.
        :param params: parameters of the query.
        :raises ClientException: as the methods of managers do.
        """
        others = dict(headers or {})
        name = VERSION_HEADER.lower()
        version = next((others.pop(key) for key in headers or () if key.lower() == name), None)
        path = "/" + url.removeprefix(self.endpoint).lstrip("/")
        return self.request(
            method,
            path + urls.query(params or {}),
            body=data,
            headers=others,
            os_ironic_api_version=version,
        )

    # See json_request().
    get = partialmethod(json_request, "GET")
    post = partialmethod(json_request, "POST")
    put = partialmethod(json_request, "PUT")
    patch = partialmethod(json_request, "PATCH")
    delete = partialmethod(json_request, "DELETE")
