"""Building and checking of URLs."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, quote, urlencode, urljoin, urlsplit

from baremetalclient import exc
from baremetalclient._http.escapes import printable

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

QueryValue = str | int | bool | list[str] | tuple[str, ...] | None

REDIRECTS = frozenset({301, 302, 303, 307, 308})
"""The statuses of redirects that a client may follow."""

_PATH_CHARACTERS = re.compile(r"[/\\?#]|\.\.")
_PLAIN = re.compile(r"[A-Za-z0-9_-]+")
"""What needs no quotes, and leads nowhere else: UUIDs and most names."""
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_DEFAULT_PORTS = {"http": 80, "https": 443}


def segment(value: object, what: str) -> str:
    """Return an identifier, quoted as one segment of a path.

    :param value: a UUID, a name, a trait or the like.
    :param what: what it identifies, for the message.
    :raises InvalidIdentifier: if it is empty, not text, or would lead to another resource.
    """
    if isinstance(value, str) and _PLAIN.fullmatch(value):
        return value
    text = str(value) if isinstance(value, int) and not isinstance(value, bool) else value
    if not isinstance(text, str):
        text = getattr(value, "uuid", None)
        if not isinstance(text, str):
            raise exc.InvalidIdentifier(f"Invalid {what} identifier {value!r}: it has to be text.")
    if not text.strip():
        raise exc.InvalidIdentifier(f"The identifier of the {what} is empty.")
    if text == "." or _PATH_CHARACTERS.search(text):
        raise exc.InvalidIdentifier(
            f"Invalid {what} identifier {text!r}: the characters / \\ ? # and .. are not allowed."
        )
    if _CONTROL.search(text):
        raise exc.InvalidIdentifier(f"Invalid {what} identifier {text!r}: control characters.")
    try:
        return quote(text, safe="")
    except UnicodeEncodeError:
        raise exc.InvalidIdentifier(f"Invalid {what} identifier {text!r}: not Unicode.") from None


def path(*segments: str) -> str:
    """Return the path of segments that are quoted already."""
    return "/v1/" + "/".join(segments)


def query(parameters: Mapping[str, QueryValue]) -> str:
    """Return the query string for parameters.

    :param parameters: values by name; None leaves one out, lists are joined with commas, and
        resources are replaced by their UUIDs.
    :returns: the query with its question mark, or an empty string.
    :raises ValidationError: if a value cannot be encoded.
    """
    if not parameters:
        return ""
    pairs = [(name, _query_text(value)) for name, value in parameters.items() if value is not None]
    try:
        encoded = urlencode(pairs, safe=",")
    except UnicodeEncodeError:
        raise exc.ValidationError(
            "A query parameter holds characters that are not Unicode."
        ) from None
    return f"?{encoded}" if pairs else ""


def _query_text(value: QueryValue) -> str:
    if isinstance(value, list | tuple):
        return ",".join(map(str, value))
    return str(getattr(value, "uuid", value))


def query_value(url: str, name: str) -> str | None:
    """Return a parameter of a URL, or None if it is not there exactly once."""
    values = parse_qs(urlsplit(url).query).get(name, [])
    return values[0] if len(values) == 1 else None


def without_version(endpoint: str) -> str:
    """Return an endpoint without its trailing slashes and ``/v1``.

    :raises EndpointException: if it is not an HTTP URL.
    """
    try:
        parts = urlsplit(endpoint)
        valid = parts.scheme in _DEFAULT_PORTS and parts.hostname and parts.port != 0
    except ValueError:
        valid = False
    if not valid:
        from baremetalclient._http.exceptions import InvalidEndpoint

        raise InvalidEndpoint(
            f"Invalid endpoint {without_credentials(endpoint)!r}. It has to be a URL such as "
            "http://192.0.2.1:6385."
        )
    return endpoint.rstrip("/").removesuffix("/v1").rstrip("/")


def without_credentials(url: str) -> str:
    """Return a URL, or a text with URLs, without user names and passwords."""
    return re.sub(r"(?<=//)[^/?#\s]*@", "", url) if "@" in url else url


def same_host(url: str, endpoint: str) -> bool:
    """Whether a URL leads to the host and port of an endpoint.

    Behind a proxy that terminates TLS, links of the server begin with ``http``, so the schemes may
    differ if both ports are the default ones.
    """
    try:
        there, here = urlsplit(url), urlsplit(endpoint)
        ports = [parts.port or None for parts in (there, here)]
    except ValueError:
        return False
    for number, parts in enumerate((there, here)):
        if ports[number] == _DEFAULT_PORTS.get(parts.scheme):
            ports[number] = None
    return there.hostname == here.hostname and ports[0] == ports[1]


def redirect_target(method: str, url: str, status: int, location: str) -> str:
    """Return the URL that a redirect leads to.

    :param location: its ``Location`` header.
    :raises HTTPRedirection: if that is another server, which must not get the token or the
        password, or is no URL.
    """
    try:
        target = urljoin(url, location)
        downgrade = urlsplit(url).scheme == "https" and urlsplit(target).scheme != "https"
    except ValueError:
        target, reason = location, "which is not a URL"
    else:
        if same_host(target, url) and not downgrade:
            if method in ("GET", "HEAD") or status in (307, 308):
                return target
            reason = "which would repeat it as a GET"
        else:
            reason = "which is another server, so no credentials were sent there"
    raise exc.HTTPRedirection(
        f"The server redirects {method} {without_credentials(url)} to "
        f"{printable(without_credentials(target))}, {reason}. "
        "If you trust that URL, use it as the endpoint",
        url=without_credentials(url),
        method=method,
        http_status=status,
    )


def comma_separated(values: Iterable[str], what: str) -> list[str]:
    """Return values, checked to be fit for joining with commas.

    :raises InvalidType: if they are neither text nor several values.
    :raises ValidationError: if one of them is empty or holds a comma.
    """
    try:
        checked = [values] if isinstance(values, str) else list(values)
    except TypeError:
        raise exc.InvalidType(f"Expected a list, each item a {what}, and not {values!r}.") from None
    for value in checked:
        if not isinstance(value, str) or not value.strip() or "," in value:
            raise exc.ValidationError(f"Invalid {what} {value!r}.")
    return checked
