"""What ``web-download`` fetches: from this machine alone, and never more than there is room for.

That is how a Glance answers whose ``[import_filtering_opts]`` has the loopback interface as
``allowed_hosts`` and no ``allowed_ports``. By default Glance fetches from all hosts but those, and
from ports 80 and 443.
"""

from __future__ import annotations

import time
from http.client import HTTPException
from ipaddress import ip_address
from typing import TYPE_CHECKING
from urllib.error import URLError
from urllib.parse import unquote, urlsplit
from urllib.request import HTTPRedirectHandler, ProxyHandler, build_opener

from fake_server.common.redaction import Redactor

if TYPE_CHECKING:
    from http.client import HTTPMessage
    from typing import IO
    from urllib.request import Request

#: How many bytes a download may have.
LARGEST = 64 * 1024 * 1024
#: Seconds that a download may take.
_SECONDS = 20.0
_CHUNK = 64 * 1024


class DownloadError(Exception):
    """A download that failed; the message says why."""


def is_allowed(url: object) -> bool:
    """Return whether something is a URL that may be fetched."""
    if not isinstance(url, str):
        return False
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and host is not None and _is_here(host)


def fetch(url: str) -> bytes:
    """Return what there is at a URL; raise DownloadError if there is nothing, or too much."""
    until = time.monotonic() + _SECONDS
    opener = build_opener(ProxyHandler({}), _Redirects())
    try:
        with opener.open(url, timeout=_SECONDS / 2) as answer:
            expected = answer.headers.get("Content-Length")
            data = _read(answer, until)
    except (URLError, HTTPException, OSError, ValueError) as exc:
        # Errors quote the part with the host, in which a password may be, and not as it was given.
        hidden = Redactor([unquote(urlsplit(url).password or "")])
        raise DownloadError(hidden.text(str(exc) or type(exc).__name__)) from exc
    if expected is not None and expected.isdecimal() and int(expected) not in (0, len(data)):
        raise DownloadError(
            f"downloaded data size {len(data)} is different from expected {expected}"
        )
    return data


def _read(answer: IO[bytes], until: float) -> bytes:
    found = bytearray()
    # One piece at a time, as a server that sends a byte now and then never times out.
    while chunk := answer.read1(_CHUNK):  # type: ignore[attr-defined]
        found += chunk
        if len(found) > LARGEST:
            raise DownloadError(f"there are more than {LARGEST} bytes")
        if time.monotonic() > until:
            raise DownloadError(f"it took more than {_SECONDS:g} seconds")
    return bytes(found)


class _Redirects(HTTPRedirectHandler):
    """Follows redirects to what may be fetched as well."""

    def redirect_request(
        self,
        req: Request,
        fp: IO[bytes],
        code: int,
        msg: str,
        headers: HTTPMessage,
        newurl: str,
    ) -> Request | None:
        """Return the request that a redirect leads to; raise DownloadError if it leads away."""
        if not is_allowed(newurl):
            raise DownloadError("a redirect leads to what may not be fetched")
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def _is_here(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False
