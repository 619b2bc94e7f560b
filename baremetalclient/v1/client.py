"""The client for version 1 of the Bare Metal API, with a manager for each type of resource."""

from __future__ import annotations

import copy
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from baremetalclient import exc
from baremetalclient._http import endpoints
from baremetalclient._http.baremetal import REQUEST_ID_HEADER
from baremetalclient._http.retry import RetryPolicy
from baremetalclient._http.transport import USER_AGENT
from baremetalclient.v1.adapter import Adapter
from baremetalclient.v1.resources import Managers

if TYPE_CHECKING:
    import logging
    from collections.abc import Callable, Mapping, Sequence
    from typing import Self

    from keystoneauth1.plugin import BaseAuthPlugin
    from keystoneauth1.session import Session

    from baremetalclient._http.retry import Deadline
    from baremetalclient.block_storage.service import BlockStorage
    from baremetalclient.compute.service import Compute
    from baremetalclient.microversion import Version, VersionRequest

_ServiceT = TypeVar("_ServiceT")


class Client(Managers):
    """A client for one Bare Metal service; safe to share between threads.

    It is a context manager, which closes it.

    :param endpoint_override: the URL of the service, instead of the catalog's.
    :param session: the keystoneauth1 session to use. It stays open, unless ``owns_session``.

    The other arguments are those of :func:`baremetalclient.client.get_client`.
    """

    def __init__(
        self,
        endpoint_override: str | None = None,
        session: Session | None = None,
        *,
        os_ironic_api_version: VersionRequest = None,
        max_retries: int | None = None,
        retry_interval: float | None = None,
        interface: str | Sequence[str] | None = None,
        service_type: str | None = None,
        region_name: str | None = None,
        additional_headers: Mapping[str, str] | None = None,
        global_request_id: str | None = None,
        timeout: float | None = None,
        deadline: float | Deadline | None = None,
        allow_api_version_downgrade: bool = False,
        service_name: str | None = None,
        user_agent: str | None = None,
        client_name: str | None = None,
        client_version: str | None = None,
        connect_retries: int | None = None,
        max_response_size: int | None = None,
        auth: BaseAuthPlugin | None = None,
        logger: logging.Logger | None = None,
        status_code_retries: int | None = None,
        owns_session: bool = False,
    ) -> None:
        if session is None:
            raise TypeError(
                "A client needs a session; baremetalclient.client.get_client() creates one."
            )
        if allow_api_version_downgrade and os_ironic_api_version == "latest":
            raise exc.ValidationError(
                "allow_api_version_downgrade cannot be used with the version 'latest'."
            )
        if timeout is not None and timeout <= 0:
            raise exc.ValidationError(f"timeout has to be above 0 seconds, not {timeout!r}.")
        self._owns_session = owns_session
        if auth is not None:
            session = copy.copy(session)
            session.auth = auth
        self._interface = interface
        self._region_name = region_name
        self._timeout = timeout
        self._headers = dict(additional_headers or {})
        if global_request_id is not None:
            self._headers[REQUEST_ID_HEADER] = global_request_id
        if user_agent is None and client_name is not None:
            program = f"{client_name}/{client_version}" if client_version else client_name
            user_agent = f"{USER_AGENT} {program}"
        if user_agent is not None:
            self._headers["User-Agent"] = user_agent
        retries = {
            "max_retries": status_code_retries if max_retries is None else max_retries,
            "interval": retry_interval,
            "deadline": deadline,
            "connect_retries": connect_retries,
            "max_response_size": max_response_size,
        }
        given: dict[str, Any] = {name: one for name, one in retries.items() if one is not None}
        self._policy = RetryPolicy(**given)
        self.http_client = Adapter(
            session,
            endpoint_override
            or partial(
                endpoints.find_endpoint, session, service_type, interface, region_name, service_name
            ),
            version=os_ironic_api_version,
            allow_downgrade=allow_api_version_downgrade,
            policy=self._policy,
            timeout=timeout,
            additional_headers=self._headers,
            logger=logger,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections, unless they are those of a session that the caller has given.

        A call afterwards opens new ones.
        """
        if self._owns_session:
            self.http_client.session.session.close()

    def block_storage(self, endpoint: str | None = None) -> BlockStorage:
        """Return a client of the Block Storage service of the same cloud.

        :param endpoint: its URL, instead of that in the catalog.
        :raises EndpointNotFound: if it is not in the catalog, or there is no catalog.
        """
        from baremetalclient.block_storage.service import BlockStorage

        return self._service(BlockStorage, endpoint, "block-storage", "volume")

    def compute(self, endpoint: str | None = None) -> Compute:
        """Return a client of the Compute service of the same cloud.

        :param endpoint: its URL, instead of that in the catalog.
        :raises EndpointNotFound: if it is not in the catalog, or there is no catalog.
        """
        from baremetalclient.compute.service import Compute

        return self._service(Compute, endpoint, "compute", "compute")

    def _service(
        self, service: Callable[..., _ServiceT], endpoint: str | None, kind: str, option: str
    ) -> _ServiceT:
        session = self.http_client.session
        return service(
            session,
            endpoint
            or endpoints.find_other_endpoint(
                session, kind, option, self._interface, self._region_name
            ),
            policy=self._policy,
            timeout=self._timeout,
            headers=self._headers,
        )

    @property
    def negotiated_version(self) -> Version:
        """The version of the API in use, negotiated with the server if it was not yet."""
        return self.http_client.negotiated_version()

    @property
    def current_api_version(self) -> str:
        """The same, as text."""
        return str(self.negotiated_version)

    @property
    def is_api_version_negotiated(self) -> bool:
        """Whether the versions of the server are known."""
        return self.http_client.knows_server_range

    def negotiate_api_version(self) -> str:
        """Negotiate the version of the API with the server, and return it as text.

        :raises UnsupportedVersion: if client and server have no acceptable version in common.
        """
        return str(self.negotiated_version)
