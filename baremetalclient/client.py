"""The entry point of the SDK, :func:`get_client`; :func:`Client` takes the same arguments."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from baremetalclient import _clock, exc

if TYPE_CHECKING:
    import logging
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from keystoneauth1.plugin import BaseAuthPlugin
    from keystoneauth1.session import Session

    from baremetalclient._http.retry import Deadline
    from baremetalclient.microversion import VersionRequest
    from baremetalclient.v1.client import Client as V1Client


def get_client(
    api_version: int | str = 1,
    auth_type: str | None = None,
    os_ironic_api_version: VersionRequest = None,
    max_retries: int | None = None,
    retry_interval: float | None = None,
    session: Session | None = None,
    valid_interfaces: str | Sequence[str] | None = None,
    interface: str | Sequence[str] | None = None,
    service_type: str | None = None,
    region_name: str | None = None,
    additional_headers: Mapping[str, str] | None = None,
    global_request_id: str | None = None,
    *,
    endpoint: str | None = None,
    timeout: float | None = None,
    deadline: float | Deadline | None = None,
    allow_api_version_downgrade: bool = False,
    service_name: str | None = None,
    user_agent: str | None = None,
    client_name: str | None = None,
    client_version: str | None = None,
    connect_retries: int | None = None,
    max_response_size: int | None = None,
    auth: BaseAuthPlugin | dict[str, Any] | None = None,
    logger: logging.Logger | None = None,
    status_code_retries: int | None = None,
    min_version: VersionRequest = None,
    **options: Any,
) -> V1Client:
    """Return a client.

    The first of these that is given is used: a session; a cloud in ``clouds.yaml``; an endpoint,
    with or without a token; the options of an authentication plugin.

    :param api_version: the major version of the Bare Metal API, which is 1.
    :param auth_type: the keystoneauth1 plugin to use, by default chosen by the options.
    :param os_ironic_api_version: the version of the API to use: text such as ``"1.67"``, a pair of
        integers, ``"latest"``, a list of acceptable versions, or ``"ironicclient"`` for the 1.9
        that python-ironicclient requests by default. By default the highest version that client
        and server support; a log record at level INFO tells which one that is.
    :param max_retries: the maximum number of retries of a request if the node is locked or the
        service is unavailable, and of a GET if the connection was lost. 5 by default.
    :param retry_interval: seconds before the first retry, doubled for each further one up to
        eightfold; up to a half is subtracted at random. 1 by default.
    :param session: a keystoneauth1 session.
    :param valid_interfaces: the interfaces of the service catalog to look at, in this order.
    :param interface: the same, if ``valid_interfaces`` is not given.
    :param service_type: the type of the service in the catalog, ``baremetal`` by default.
    :param region_name: the region in the catalog.
    :param additional_headers: headers to send with every request.
    :param global_request_id: an id of the form ``req-<UUID>`` to send with every request.
    :param endpoint: the URL of the service, instead of that in the catalog. Also accepted as
        ``ironic_url``, ``os_endpoint`` and ``endpoint_override``.
    :param timeout: seconds to wait for a connection and between bytes of a response. By default
        those of the session, or else 120.
    :param deadline: seconds that a call may take: all its pages and retries, negotiation of the
        version and authentication included; no limit by default.
    :param allow_api_version_downgrade: whether a single version in ``os_ironic_api_version`` may
        be lowered to one that the server offers.
    :param service_name: the name of the service in the catalog.
    :param user_agent: the header ``User-Agent``.
    :param client_name: the name of the program, for that header if ``user_agent`` is not given.
    :param client_version: the version of the program.
    :param connect_retries: how many of the retries may follow a failure to connect, 0 by default.
    :param max_response_size: the bytes that the body of a response may have, decompressed: 256 MiB
        by default. A larger response is an error.
    :param auth: an authentication plugin of keystoneauth1, or options of one as a dictionary.
    :param logger: what retries and, at level DEBUG, requests and responses are logged with.
    :param status_code_retries: the same as ``max_retries``, if that is not given.
    :param min_version: not used: the Bare Metal API has one major version.
    :param options: options of the authentication plugin and of TLS, with or without ``os_`` before
        them: ``auth_url``, ``username``, ``password``, ``project_name``, ``user_domain_name``,
        ``token``, ``application_credential_id``, ``cloud``, ``cacert``, ``insecure``, ``cert``,
        ``key``, and so on.
    :returns: the client, which is a context manager. Nothing was sent: the first request looks up
        the endpoint. When it is closed, a session that was given stays open.
    :raises TypeError: if an argument is unknown.
    :raises UnsupportedVersion: if the major version is unknown.
    :raises AmbiguousAuthSystem: if the arguments are not sufficient to authenticate.
    """
    if str(api_version).lower() not in ("1", "v1"):
        raise exc.UnsupportedVersion(
            f"Unknown major version {api_version!r} of the Bare Metal API. Known versions: 1. Use "
            "os_ironic_api_version to request microversions such as '1.67'."
        )
    import inspect

    from baremetalclient._http.endpoints import SERVICE_TYPE
    from baremetalclient._http.session import (
        known_options,
        load_cloud,
        make_cloud_session,
        make_session,
        normalize_options,
        pop_first,
    )
    from baremetalclient._resource.arguments import refuse_unknown
    from baremetalclient.v1.client import Client

    owns_session = session is None
    plugin = None if isinstance(auth, dict) else auth
    options = normalize_options({**options, "auth": auth})
    *own, _options = inspect.signature(get_client).parameters
    known = dict.fromkeys([*own, *known_options(options, auth_type)])
    refuse_unknown("get_client", options, known)
    endpoint = endpoint or pop_first(options, "ironic_url", "endpoint", "endpoint_override")
    region_name = region_name or pop_first(options, "region_name", "region")
    service_type = service_type or pop_first(options, "service_type")
    named_interface = pop_first(options, "interface", "endpoint_type")
    interface = valid_interfaces or interface or named_interface
    cloud = pop_first(options, "cloud")
    if session is None and cloud is not None:
        region = load_cloud(cloud, auth_type, {**options, "region_name": region_name})
        session = make_cloud_session(region, timeout)
        kind = service_type or SERVICE_TYPE
        endpoint = endpoint or region.get_endpoint(kind)
        interface = interface or region.get_interface(kind)
        region_name = region.get_region_name(kind)
        os_ironic_api_version = os_ironic_api_version or region.get_default_microversion(kind)
    elif session is None:
        session = make_session(auth_type, endpoint, options, timeout, plugin)
    return Client(
        endpoint_override=endpoint,
        session=session,
        os_ironic_api_version=os_ironic_api_version,
        max_retries=max_retries,
        retry_interval=retry_interval,
        interface=interface,
        service_type=service_type,
        region_name=region_name,
        additional_headers=additional_headers,
        global_request_id=global_request_id,
        timeout=timeout,
        deadline=deadline,
        allow_api_version_downgrade=allow_api_version_downgrade,
        service_name=service_name,
        user_agent=user_agent,
        client_name=client_name,
        client_version=client_version,
        connect_retries=connect_retries,
        max_response_size=max_response_size,
        auth=plugin,
        logger=logger,
        status_code_retries=status_code_retries,
        owns_session=owns_session,
    )


def Client(  # noqa: N802 - the name is ironicclient's
    version: int | str,
    endpoint_override: str | None = None,
    session: Session | None = None,
    **options: Any,
) -> V1Client:
    """Return a client, with the endpoint and the session as the first arguments.

    :param version: the major version of the Bare Metal API, which is 1.
    :param endpoint_override: the URL of the service, instead of that in the catalog.
    :param session: a keystoneauth1 session.
    :param options: other arguments of :func:`get_client`.
    :raises TypeError: if an argument is unknown.
    """
    return get_client(version, session=session, endpoint=endpoint_override, **options)


@contextmanager
def use_clock(sleep: Callable[[float], object], monotonic: Callable[[], float]) -> Iterator[None]:
    """Have the clients wait by another clock in a block, for tests.

    It is for pauses between retries and polls, for the time limits of waits, and for the durations
    of results, also in the threads of calls for many nodes.

    :param sleep: called with the seconds to wait, instead of ``time.sleep``.
    :param monotonic: returns the time in seconds, instead of ``time.monotonic``.
    """
    with _clock.use(_clock.Clock(sleep, monotonic)):
        yield
