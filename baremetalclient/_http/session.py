"""The session of requests below those of keystoneauth1 that are made here."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

import requests
from keystoneauth1.session import TCPKeepAliveAdapter


class HttpSession(requests.Session):
    """Asks the environment for proxies and certificates once for each server.

    requests reads all variables before each request, which is a fifth of what a call costs. Who
    changes them afterwards makes a new client.
    """

    def __init__(self) -> None:
        super().__init__()
        self._found: dict[tuple[Any, ...], dict[str, Any]] = {}
        adapter = TCPKeepAliveAdapter()
        for scheme in list(self.adapters):
            self.mount(scheme, adapter)

    def merge_environment_settings(
        self, url: Any, proxies: Any, stream: Any, verify: Any, cert: Any
    ) -> Any:
        """Return the settings of a request, as requests does.

        :param url: the whole URL.
        :param proxies: proxies by scheme, for this request alone.
        :param stream: whether the body is read later.
        :param verify: whether, or by which certificates, the server is verified.
        :param cert: the client's certificate.
        """
        if proxies:
            return super().merge_environment_settings(url, proxies, stream, verify, cert)
        server = urlsplit(url)
        asked = (server.scheme, server.netloc, stream, verify, cert)
        found = self._found.get(asked)
        if found is None:
            found = dict(super().merge_environment_settings(url, {}, stream, verify, cert))
            self._found[asked] = found
        return {**found, "proxies": dict(found["proxies"])}
