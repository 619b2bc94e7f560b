"""URLs put together from parts that nobody has checked yet."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, quote, urlencode, urlsplit

from baremetalclient import exc

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

QueryValue = str | int | bool | list[str] | tuple[str, ...] | None

_VERSION_SUFFIX = re.compile(r"/+(v1)?/*$")
_ELSEWHERE = re.compile(r"[/\\?#]|\.\.")
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_DEFAULT_PORTS = {"http": 80, "https": 443}


def segment(value: object, what: str) -> str:
    """Return an identifier as one segment of a path.

    :param value: a UUID, a name, a trait or the like.
    :param what: what it identifies, for the message.
    :raises ValidationError: if it is empty, not text, or would reach another resource.
    """
    text = str(value) if isinstance(value, int) and not isinstance(value, bool) else value
    if not isinstance(text, str):
        text = getattr(value, "uuid", None)
        if not isinstance(text, str):
            raise exc.ValidationError(f"{value!r} does not identify a {what}: text is needed.")
    if not text.strip():
        raise exc.ValidationError(f"The identifier of the {what} is empty.")
    if text == "." or _ELSEWHERE.search(text):
        raise exc.ValidationError(
            f"{text!r} does not identify a {what}: the characters / \\ ? # and .. cannot be part "
            "of an identifier."
        )
    if _CONTROL.search(text):
        raise exc.ValidationError(f"{text!r} does not identify a {what}: control characters.")
    try:
        return quote(text, safe="")
    except UnicodeEncodeError:
        raise exc.ValidationError(f"{text!r} does not identify a {what}: not Unicode.") from None


def path(*segments: str) -> str:
    """Return the path of segments that are safe already."""
    return "/v1/" + "/".join(segments)


def query(parameters: Mapping[str, QueryValue]) -> str:
    """Return the query string for parameters.

    :param parameters: values by name; None leaves one out, lists are joined with commas.
    :returns: the query with its question mark, or nothing.
    :raises ValidationError: if a value cannot be encoded.
    """
    pairs = [(name, _query_text(value)) for name, value in parameters.items() if value is not None]
    try:
        encoded = urlencode(pairs, safe=",")
    except UnicodeEncodeError:
        raise exc.ValidationError("A filter holds characters that are not Unicode.") from None
    return f"?{encoded}" if pairs else ""


def _query_text(value: QueryValue) -> str:
    if isinstance(value, list | tuple):
        return ",".join(map(str, value))
    return str(value)


def query_value(url: str, name: str) -> str | None:
    """Return a parameter of a URL, or None if it is not there exactly once."""
    values = parse_qs(urlsplit(url).query).get(name, [])
    return values[0] if len(values) == 1 else None


def without_version(endpoint: str) -> str:
    """Return an endpoint without its trailing slashes and ``/v1``.

    :raises EndpointException: if it is no URL of HTTP.
    """
    parts = urlsplit(endpoint)
    if parts.scheme not in _DEFAULT_PORTS or not parts.hostname:
        raise exc.EndpointException(
            f"{without_credentials(endpoint)!r} is not an endpoint. It has to be a URL such as "
            "http://192.0.2.1:6385."
        )
    return _VERSION_SUFFIX.sub("", endpoint)


def without_credentials(url: str) -> str:
    """Return a URL, or a text with URLs, without the user and the password before its host."""
    return re.sub(r"(?<=//)[^/?#\s]*@", "", url)


def same_host(url: str, endpoint: str) -> bool:
    """Whether a URL leads to the host and port of an endpoint.

    A proxy that ends TLS leaves ``http`` in the links of the server, so schemes may differ as long
    as neither names a port of its own.
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


def comma_separated(values: Iterable[str], what: str) -> list[str]:
    """Return values that will be joined with commas.

    :raises ValidationError: if one of them is empty or holds a comma.
    """
    checked = [values] if isinstance(values, str) else list(values)
    for value in checked:
        if not isinstance(value, str) or not value.strip() or "," in value:
            raise exc.ValidationError(f"{value!r} is not a {what}.")
    return checked
