"""URLs that carry a signature instead of a token: for one object, one method, and a while."""

from __future__ import annotations

import base64
import binascii
import hmac
from datetime import UTC, datetime
from ipaddress import ip_address, ip_network
from typing import TYPE_CHECKING, Any

from fake_server.common.errors import Unauthorized

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from fake_server.common.wsgi import Request

#: The digests that a signature may have, by the number of its hexadecimal digits.
_DIGESTS = {40: "sha1", 64: "sha256", 128: "sha512"}
#: Their names, as ``/info`` tells them.
ALGORITHMS = [*_DIGESTS.values()]
_FORMATS = ("%Y-%m-%dT%H:%M:%SZ", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%d")
#: What those may ask with ``HEAD`` whose signature is for another method.
_FOR_HEAD = ("HEAD", "GET", "POST", "PUT")


def is_one(query: Mapping[str, Any]) -> bool:
    """Return whether a query is that of a temporary URL, be it good or not."""
    return "temp_url_sig" in query or "temp_url_expires" in query


def check(request: Request, now: float, path: str, mount: str, keys: Iterable[str]) -> None:
    """Raise Unauthorized unless a signature lets a request be answered.

    :param path: of the object, from ``/v1`` on.
    :param mount: what comes before it for clients, who may have signed that as well.
    :param keys: those of the account and of the container.
    """
    query = request.query
    expires = _moment(query.get("temp_url_expires"))
    digest, signature = _digest_of(query.get("temp_url_sig"))
    if expires is None or expires <= now or digest is None:
        raise _invalid()
    begins = query.get("temp_url_prefix")
    if begins is not None:
        name = path.split("/", 4)[4]
        if not isinstance(begins, str) or not name.startswith(begins):
            raise _invalid()
        path = f"{path[: len(path) - len(name)]}{begins}"
    marks = "" if begins is None else "prefix:"
    methods = _FOR_HEAD if request.method == "HEAD" else (request.method,)
    addresses = _addresses(request, query.get("temp_url_ip_range"))
    for key in keys:
        for method in methods:
            for signed in (f"{marks}{path}", f"{marks}{mount}{path}"):
                text = f"{addresses}{method}\n{int(expires)}\n{signed}"
                right = hmac.new(key.encode(), text.encode(), digest).hexdigest()
                if hmac.compare_digest(right, signature):
                    return
    raise _invalid()


def keys_of(headers: Mapping[str, str], kind: str) -> Iterator[str]:
    """Yield the keys among what is said of an account or a container."""
    for name in ("Temp-Url-Key", "Temp-Url-Key-2"):
        key = headers.get(f"X-{kind}-Meta-{name}")
        if key:
            yield key


def _invalid() -> Unauthorized:
    return Unauthorized("401 Unauthorized: Temp URL invalid\n")


def _digest_of(written: Any) -> tuple[str | None, str]:
    """Return the digest of a signature, and the signature in hexadecimal digits."""
    if not isinstance(written, str):
        return None, ""
    name, colon, encoded = written.partition(":")
    if colon:
        padded = encoded.replace("-", "+").replace("_", "/") + "=" * (-len(encoded) % 4)
        try:
            written = base64.b64decode(padded, validate=True).hex()
        except (binascii.Error, ValueError):
            return None, ""
    digest = _DIGESTS.get(len(written))
    known = digest if not colon or digest == name else None
    return known, written if written.isascii() else ""


def _moment(written: Any) -> float | None:
    """Return when a URL ends to be good, in seconds since the epoch."""
    if not isinstance(written, str):
        return None
    if written.isascii() and written.isdecimal() and len(written) < 15:
        return float(written)
    for form in _FORMATS:
        try:
            return datetime.strptime(written, form).replace(tzinfo=UTC).timestamp()
        except (ValueError, OverflowError):
            continue
    return None


def _addresses(request: Request, written: Any) -> str:
    """Return what a signature says of whom it is for; raise Unauthorized for all others."""
    if written is None:
        return ""
    try:
        if ip_address(request.environ.get("REMOTE_ADDR", "")) in ip_network(written):
            return f"ip={written}\n"
    except ValueError:
        pass
    raise _invalid()
