"""Sessions of keystoneauth1, created from the options of a caller."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import requests
from keystoneauth1 import exceptions as ksa
from keystoneauth1.session import Session, TCPKeepAliveAdapter
from requests.adapters import HTTPAdapter
from requests.auth import HTTPBasicAuth
from requests.utils import get_auth_from_url

from baremetalclient import exc
from baremetalclient._http.endpoints import NEEDED
from baremetalclient._http.transport import DEFAULT_TIMEOUT

if TYPE_CHECKING:
    from collections.abc import Iterable

    from keystoneauth1.plugin import BaseAuthPlugin
    from openstack.config.cloud_region import CloudRegion

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
        *("region", "region_name", "name", *_TLS),
    }
)
"""Options that are accepted with any authentication plugin."""


def normalize_options(options: dict[str, Any]) -> dict[str, Any]:
    """Return authentication options under their plain names, without those that are None.

    :param options: the options, with or without ``os_`` before their names.
    """
    plain: dict[str, Any] = {}
    for name, value in options.items():
        if value is not None:
            short = name.removeprefix("os_")
            plain.setdefault(_OTHER_NAMES.get(short, short), value)
    nested = plain.pop("auth", None)
    if isinstance(nested, dict):
        plain = {**normalize_options(nested), **plain}
    return plain


def known_options(options: Iterable[str], auth_type: str | None) -> list[str]:
    """Return the options that the client or the authentication plugin supports.

    :param options: the options that were given, under their plain names.
    """
    known = sorted(_OPTIONS)
    if auth_type and not _OPTIONS.issuperset(options):
        known += sorted(option.dest for option in plugin_options(auth_type))
    return known


def plugin_loader(auth_type: str) -> Any:
    """Return the loader of an authentication plugin.

    :raises AuthSystemNotFound: if there is no such plugin.
    :raises AuthorizationFailure: if it cannot be imported, as when what it needs is not installed.
    """
    from keystoneauth1 import loading

    from baremetalclient._http import exceptions

    try:
        return loading.get_plugin_loader(auth_type)
    except ksa.NoMatchingPlugin as error:
        raise exceptions.AuthSystemNotFound(auth_type) from error
    except Exception as error:
        # Some plugins fail in other ways than with ImportError where a package is missing.
        raise exc.AuthorizationFailure(
            f"The authentication plugin {auth_type!r} cannot be imported: "
            f"{type(error).__name__}: {error}. Install the packages that it needs; for plugins "
            "of keystoneauth1 these are its extras kerberos, oauth1 and saml2."
        ) from error


def plugin_options(auth_type: str) -> list[Any]:
    """Return the options of an authentication plugin, none if there is no such plugin."""
    try:
        options: list[Any] = plugin_loader(auth_type).get_options()
    except exc.AuthSystemNotFound:
        return []
    return options


def pop_first(options: dict[str, Any], *names: str) -> Any:
    """Remove options and return the first of them that was given."""
    values = [options.pop(name, None) for name in names]
    return next((value for value in values if value is not None), None)


def make_session(
    auth_type: str | None,
    endpoint: str | None,
    options: dict[str, Any],
    timeout: float | None,
    plugin: BaseAuthPlugin | None = None,
) -> Session:
    """Return a session for the options that were given.

    :param auth_type: the name of the plugin, None for the one that the options call for.
    :param endpoint: the URL of the service, if it is known.
    :param options: the options of the plugin and of TLS, under their plain names.
    :param timeout: seconds to wait for a connection and between bytes of a response, None for the
        default.
    :param plugin: the plugin itself, if there is one already.
    :raises AmbiguousAuthSystem: if the options do not suffice.
    """
    tls = {name: options.pop(name) for name in _TLS if name in options}
    if plugin is None:
        plugin = _plugin(auth_type or _plugin_for(endpoint, options), endpoint, options)
    certificate = tls.get("cert")
    if certificate and tls.get("key"):
        certificate = (certificate, tls["key"])
    verify = tls.get("cacert") or tls.get("verify", True)
    return Session(
        auth=plugin,
        session=HttpSession(),
        verify=False if tls.get("insecure") else verify,
        cert=certificate,
        timeout=DEFAULT_TIMEOUT if timeout is None else timeout,
    )


def _plugin_for(endpoint: str | None, options: dict[str, Any]) -> str:
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
    from baremetalclient._http import exceptions

    loader = plugin_loader(auth_type)
    try:
        known = {option.dest for option in loader.get_options()}
        plugin: BaseAuthPlugin = loader.load_from_options(
            **{name: value for name, value in options.items() if name in known}
        )
    except ksa.MissingRequiredOptions as error:
        missing = [option.dest for option in error.options]
        why = f"Authentication of type {auth_type!r} needs more options: {', '.join(missing)}."
        message = NEEDED if "auth_url" in missing else why
        raise exceptions.NoCredentials(message, error.options) from error
    except ksa.OptionError as error:
        raise exceptions.NoCredentials(str(error)) from error
    return plugin


def load_cloud(cloud: str, auth_type: str | None, options: dict[str, Any]) -> CloudRegion:
    """Return the settings of a cloud in ``clouds.yaml``.

    :param auth_type: the name of the plugin, None for the one that the cloud names.
    :param options: what stands in for settings of the cloud.
    :raises AmbiguousAuthSystem: if there is no such cloud or its settings contradict each other.
    :raises AuthSystemNotFound: if there is no such plugin.
    :raises AuthorizationFailure: if the plugin cannot be imported.
    """
    from openstack import config
    from openstack.exceptions import ConfigException

    if auth_type is not None:
        options = {**options, "auth_type": auth_type}
    settings = config.OpenStackConfig()
    try:
        return settings.get_one(cloud=cloud, **options)
    except (ksa.NoMatchingPlugin, ImportError, AttributeError):
        found = settings.get_one(cloud=cloud, validate=False, **options).config
        plugin_loader(found["auth_type"])
        raise
    except (ConfigException, ksa.AuthPluginException) as error:
        raise exc.AmbiguousAuthSystem(f"The cloud {cloud!r} cannot be used: {error}") from error
    except TypeError as error:
        # Plugins take no other options than their own.
        found = settings.get_one(cloud=cloud, validate=False, **options).config
        known = {option.dest for option in plugin_options(found["auth_type"])}
        unknown = ", ".join(sorted(set(found["auth"]) - known))
        if not unknown:
            raise
        raise exc.AmbiguousAuthSystem(
            f"The cloud {cloud!r} cannot be used: authentication of type {found['auth_type']!r} "
            f"takes none of these: {unknown}. Check auth_type and auth of the cloud in "
            "clouds.yaml, --os-auth-type and OS_AUTH_TYPE."
        ) from error


def make_cloud_session(region: CloudRegion, timeout: float | None) -> Session:
    """Return a session for a cloud.

    :param region: the settings of the cloud in ``clouds.yaml``.
    :param timeout: seconds to wait for a connection and between bytes of a response.
    """
    session: Session = region.get_session()
    session.session.auth = credentials_of_url
    if timeout is not None:
        session.timeout = timeout
    elif session.timeout is None:
        session.timeout = DEFAULT_TIMEOUT
    return session


def credentials_of_url(request: requests.PreparedRequest) -> requests.PreparedRequest:
    """Add the credentials in its URL to a request, but none of ``~/.netrc``, as requests would."""
    found = get_auth_from_url(request.url or "")
    return HTTPBasicAuth(*found)(request) if any(found) else request


def allow_connections(session: Session, number: int) -> None:
    """Let a session keep a number of connections to a server for concurrent threads.

    :param session: a session, which may be the caller's own; it may be in use already.
    """
    adapters = [one for one in session.session.adapters.values() if isinstance(one, HTTPAdapter)]
    for adapter in set[Any](adapters):
        if adapter._pool_maxsize < number:
            adapter.init_poolmanager(adapter._pool_connections, number)


class HttpSession(requests.Session):
    """A session that caches the proxies and certificates of the environment for each server.

    requests reads all variables before each request, which takes a fifth of the time of a call.
    Changes of the environment take effect in new clients.
    """

    __slots__ = ("_cache",)

    def __init__(self) -> None:
        super().__init__()
        self._cache: dict[tuple[Any, ...], dict[str, Any]] = {}
        self.auth = credentials_of_url
        adapter = TCPKeepAliveAdapter()
        for scheme in list(self.adapters):
            self.mount(scheme, adapter)

    @classmethod
    def sharing(cls, other: requests.Session) -> Self:
        """Return a session with the connections, headers, hooks and all else of another one."""
        made = cls.__new__(cls)
        made.__dict__ = other.__dict__
        made._cache = {}
        return made

    def merge_environment_settings(
        self, url: Any, proxies: Any, stream: Any, verify: Any, cert: Any
    ) -> Any:
        """Return the settings of a request, from the cache if possible.

        :param proxies: proxies by scheme, for this request alone.
        :param stream: whether the body is read later.
        :param verify: whether, or by which certificates, the server is verified.
        """
        if proxies:
            return super().merge_environment_settings(url, proxies, stream, verify, cert)
        own = self.trust_env, self.stream, self.verify, self.cert, *self.proxies.items()
        key = (*url.split("/", 3)[:3], stream, verify, cert, *own)
        found = self._cache.get(key)
        if found is None:
            found = dict(super().merge_environment_settings(url, {}, stream, verify, cert))
            self._cache[key] = found
        return {**found, "proxies": dict(found["proxies"])}


class _SharingSession(Session):
    """A session with all that another one has, also later, but for its session of requests."""

    __slots__ = ("session",)


def with_cached_environment(session: Session) -> Session:
    """Return a session that shares all with a caller's, and caches settings of the environment.

    :param session: the caller's session; it is returned itself if it, or its session of requests,
        is of a class of its own, which may have settings of its own.
    """
    if type(session) is not Session or type(session.session) is not requests.Session:
        return session
    made = _SharingSession.__new__(_SharingSession)
    made.__dict__ = session.__dict__
    made.session = HttpSession.sharing(session.session)
    return made
