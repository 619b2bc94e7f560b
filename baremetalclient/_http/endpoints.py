"""Sessions of keystoneauth1, and the endpoint that they lead to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from baremetalclient import exc
from baremetalclient._http import transport
from baremetalclient._resource.arguments import refuse_unknown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from keystoneauth1.plugin import BaseAuthPlugin
    from keystoneauth1.session import Session
    from openstack.config.cloud_region import CloudRegion

SERVICE_TYPE = "baremetal"
STORAGE_TYPES = ("block-storage", "volumev3")
"""What catalogs call the Block Storage service, in the order in which it is looked for."""

_OTHER_NAMES = {
    "auth_token": "token",
    "cloud_name": "cloud",
    "tenant_name": "project_name",
    "tenant_id": "project_id",
    "ca_file": "cacert",
    "cert_file": "cert",
    "key_file": "key",
    "user_name": "username",
}
_TLS = ("cacert", "cert", "key", "insecure", "verify")
_OPTIONS = frozenset(
    {
        *("auth_url", "username", "user_id", "user_domain_name", "user_domain_id", "password"),
        *("passcode", "token", "project_name", "project_id", "project_domain_name"),
        *("project_domain_id", "domain_name", "domain_id", "default_domain"),
        *("default_domain_name", "default_domain_id", "system_scope", "trust_id"),
        *("application_credential_id", "application_credential_name"),
        *("application_credential_secret", "reauthenticate", "cloud", "ironic_url"),
        *("endpoint", "endpoint_override", "endpoint_type", "interface", "service_type"),
        *("region", "region_name", *_TLS),
    }
)
"""Options that are known whatever the authentication plugin is."""
_NEEDED = "Credentials for Keystone or the endpoint of the Bare Metal service are needed"


def without_prefix(options: dict[str, Any]) -> dict[str, Any]:
    """Return options of authentication under their plain names.

    :param options: options with or without ``os_`` before their names; None means not given.
    """
    plain: dict[str, Any] = {}
    for name, value in options.items():
        if value is not None:
            short = name.removeprefix("os_")
            plain.setdefault(_OTHER_NAMES.get(short, short), value)
    nested = plain.pop("auth", None)
    if isinstance(nested, dict):
        plain = {**without_prefix(nested), **plain}
    return plain


def check_options(options: dict[str, Any], auth_type: str | None, arguments: Sequence[str]) -> None:
    """Refuse options that neither the client nor the authentication plugin knows.

    :param options: options under their plain names.
    :param auth_type: the name of the plugin, if there is one.
    :param arguments: what ``get_client()`` takes besides, for the message.
    :raises TypeError: naming the unknown option.
    """
    known = [*arguments, *sorted(_OPTIONS.difference(arguments))]
    if auth_type and not _OPTIONS.issuperset(options):
        known += sorted(_options_of(auth_type))
    refuse_unknown("get_client", options, known)


def _options_of(auth_type: str) -> set[str]:
    from keystoneauth1 import exceptions, loading

    try:
        options: list[Any] = loading.get_plugin_loader(auth_type).get_options()
    except exceptions.NoMatchingPlugin:
        return set()
    return {option.dest for option in options}


def taken(options: dict[str, Any], *names: str) -> Any:
    """Take options out and return the first of them that was given."""
    values = [options.pop(name, None) for name in names]
    return next((value for value in values if value is not None), None)


def make_session(
    auth_type: str | None,
    endpoint: str | None,
    options: dict[str, Any],
    timeout: float | None,
) -> Session:
    """Return a session for the options that were given.

    :param auth_type: the name of the plugin, None for the one that the options call for.
    :param endpoint: the URL of the service, if it is known.
    :param options: the options of the plugin and of TLS, under their plain names.
    :param timeout: seconds to wait for a connection and between bytes of an answer, None for the
        default.
    :raises AmbiguousAuthSystem: if the options do not suffice.
    """
    from keystoneauth1.session import Session

    from baremetalclient._http.session import HttpSession

    tls = {name: options.pop(name) for name in _TLS if name in options}
    plugin = _plugin(auth_type or _called_for(endpoint, options), endpoint, options)
    certificate = tls.get("cert")
    if certificate and tls.get("key"):
        certificate = (certificate, tls["key"])
    verify = tls.get("cacert") or tls.get("verify", True)
    return Session(
        auth=plugin,
        session=HttpSession(),
        verify=False if tls.get("insecure") else verify,
        cert=certificate,
        timeout=transport.DEFAULT_TIMEOUT if timeout is None else timeout,
    )


def find_endpoint(
    session: Session,
    service_type: str | None = None,
    interface: str | Sequence[str] | None = None,
    region_name: str | None = None,
) -> str:
    """Return the endpoint of the Bare Metal service in the catalog.

    :param session: the session to ask.
    :param service_type: the type of the service, ``baremetal`` if not given.
    :param interface: the interfaces to look at, in this order.
    :param region_name: the region.
    :raises AmbiguousAuthSystem: if the credentials are not enough.
    :raises EndpointNotFound: if the catalog has no such endpoint.
    """
    from keystoneauth1 import exceptions

    kind = service_type or SERVICE_TYPE
    try:
        endpoint = session.get_endpoint(
            service_type=kind, interface=interface, region_name=region_name
        )
    except exceptions.CatalogException:
        endpoint = None
    except exceptions.ClientException as error:
        failure = transport.authentication_failure(error)
        if isinstance(failure, exc.HttpError | exc.ConnectionError):
            raise failure from error
        raise exc.AmbiguousAuthSystem(f"{_NEEDED}: {error}") from error
    if not endpoint:
        where = f" in region {region_name}" if region_name else ""
        raise exc.EndpointNotFound(
            f"The service catalog has no endpoint of type {kind!r}{where} for the interface "
            f"{interface or 'public'}. Name the endpoint itself, or another region or interface."
        )
    return str(endpoint)


def find_storage_endpoint(
    session: Session,
    interface: str | Sequence[str] | None = None,
    region_name: str | None = None,
) -> str:
    """Return the endpoint of the Block Storage service in the catalog.

    :param session: the session to ask.
    :param interface: the interfaces to look at, in this order.
    :param region_name: the region.
    :raises EndpointNotFound: if the catalog has no such endpoint, or there is no catalog.
    """
    _require_catalog(session, "block storage", "volume")
    for kind in STORAGE_TYPES[:-1]:
        try:
            return find_endpoint(session, kind, interface, region_name)
        except exc.EndpointNotFound:
            continue
    return find_endpoint(session, STORAGE_TYPES[-1], interface, region_name)


def find_compute_endpoint(
    session: Session,
    interface: str | Sequence[str] | None = None,
    region_name: str | None = None,
) -> str:
    """Return the endpoint of the Compute service in the catalog.

    :param session: the session to ask.
    :param interface: the interfaces to look at, in this order.
    :param region_name: the region.
    :raises EndpointNotFound: if the catalog has no such endpoint, or there is no catalog.
    """
    _require_catalog(session, "compute", "compute")
    return find_endpoint(session, "compute", interface, region_name)


def _require_catalog(session: Session, service: str, option: str) -> None:
    from keystoneauth1.plugin import FixedEndpointPlugin

    if isinstance(session.auth, FixedEndpointPlugin):
        raise exc.EndpointNotFound(
            f"Without a service catalog the endpoint of the {service} service has to be named: "
            f"--{option}-endpoint or OS_{option.upper()}_ENDPOINT on the command line, endpoint in "
            "Python."
        )


def _called_for(endpoint: str | None, options: dict[str, Any]) -> str:
    """Return the name of the plugin that fits the options."""
    if "auth_url" in options:
        if "application_credential_id" in options or "application_credential_name" in options:
            return "v3applicationcredential"
        return "token" if "token" in options else "password"
    if endpoint is None:
        return "password"
    if "token" in options:
        return "admin_token"
    return "http_basic" if "username" in options else "none"


def _plugin(auth_type: str, endpoint: str | None, options: dict[str, Any]) -> BaseAuthPlugin:
    if auth_type in ("none", "noauth"):
        from keystoneauth1.noauth import NoAuth

        return NoAuth(endpoint=endpoint)
    if auth_type in ("admin_token", "token_endpoint"):
        from keystoneauth1.token_endpoint import Token

        return Token(endpoint, options.get("token"))
    if auth_type == "http_basic":
        from keystoneauth1.http_basic import HTTPBasicAuth

        return HTTPBasicAuth(endpoint, options.get("username"), options.get("password"))
    return _loaded_plugin(auth_type, options)


def _loaded_plugin(auth_type: str, options: dict[str, Any]) -> BaseAuthPlugin:
    from keystoneauth1 import exceptions, loading

    try:
        loader: Any = loading.get_plugin_loader(auth_type)
        known = {option.dest for option in loader.get_options()}
        plugin: BaseAuthPlugin = loader.load_from_options(
            **{name: value for name, value in options.items() if name in known}
        )
    except exceptions.MissingRequiredOptions as error:
        missing = ", ".join(option.dest for option in error.options)
        raise exc.AmbiguousAuthSystem(
            f"{_NEEDED}. For authentication of type {auth_type!r} this is missing: {missing}. "
            "Where there is no authentication, the endpoint alone is enough."
        ) from error
    except exceptions.OptionError as error:
        raise exc.AmbiguousAuthSystem(f"{_NEEDED}: {error}") from error
    except exceptions.NoMatchingPlugin as error:
        raise exc.AuthSystemNotFound(auth_type) from error
    return plugin


def region_of_cloud(cloud: str, auth_type: str | None, options: dict[str, Any]) -> CloudRegion:
    """Return what ``clouds.yaml`` says about a cloud.

    :param cloud: the name of the cloud.
    :param auth_type: the name of the plugin, None for the one that the cloud names.
    :param options: what stands in for settings of the cloud.
    :raises AmbiguousAuthSystem: if there is no such cloud or its settings contradict each other.
    """
    from openstack import config
    from openstack.exceptions import ConfigException

    if auth_type is not None:
        options = {**options, "auth_type": auth_type}
    try:
        return config.OpenStackConfig().get_one(cloud=cloud, **options)
    except ConfigException as error:
        raise exc.AmbiguousAuthSystem(f"The cloud {cloud!r} cannot be used: {error}") from error


def session_of_region(region: CloudRegion, timeout: float | None) -> Session:
    """Return a session for a cloud.

    :param region: what ``clouds.yaml`` says about the cloud.
    :param timeout: seconds to wait for a connection and between bytes of an answer.
    """
    session: Session = region.get_session()
    if timeout is not None:
        session.timeout = timeout
    elif session.timeout is None:
        session.timeout = transport.DEFAULT_TIMEOUT
    return session
