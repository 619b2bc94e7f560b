"""The head of a request: its first line and its headers, as a WSGI environment.

What is refused, what is forgiven and in which words are those of cheroot, which serves Ironic's
API: any word in capitals is a method, a header that is sent twice counts once, an encoded slash
stays one. It is stricter where proxies and servers could take a request for two different ones:
with a Host header too many or too few, different lengths, a control character in a header, and a
name that is no token.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any
from urllib.parse import unquote_to_bytes, urlsplit

Environ = dict[str, Any]

#: Headers whose values add up when they are sent more than once; of others the last one counts.
_LISTS = frozenset(
    [
        "ACCEPT",
        "ACCEPT_CHARSET",
        "ACCEPT_ENCODING",
        "ACCEPT_LANGUAGE",
        "ACCEPT_RANGES",
        "ALLOW",
        "CACHE_CONTROL",
        "CONNECTION",
        "CONTENT_ENCODING",
        "CONTENT_LANGUAGE",
        "EXPECT",
        "IF_MATCH",
        "IF_NONE_MATCH",
        "PRAGMA",
        "PROXY_AUTHENTICATE",
        "TE",
        "TRAILER",
        "TRANSFER_ENCODING",
        "UPGRADE",
        "VARY",
        "VIA",
        "WARNING",
        "WWW_AUTHENTICATE",
    ]
)
#: Bytes of headers that are remembered.
_SHORT = 1024
_BLANKS = b" \t"
_CONTROL = re.compile(rb"[\0-\x08\x0a-\x1f\x7f]")
_TOKEN = re.compile(rb"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_WITHOUT_PREFIX = frozenset({"CONTENT_TYPE", "CONTENT_LENGTH"})
_QUOTED_SLASH = re.compile(rb"(?i)%2F")
_CASE = (
    "Malformed method name: According to RFC 2616 (section 5.1.1) and its successors RFC 7230 "
    "(section 3.1.1) and RFC 7231 (section 4.1) method names are case-sensitive and uppercase."
)
_ORIGIN = (
    "Invalid path in Request-URI: request-target must contain origin-form which starts with "
    'absolute-path (URI starting with a slash "/").'
)
_PLAIN_TARGET = re.compile(rb"/(?:[\w\-.~:@!$&'()*+,;=][\w\-.~:@!$&'()*+,;=/]*)?", re.ASCII)


class Refusal(Exception):
    """An invalid request; the connection is closed after the response.

    :param status: the answer's status line, without the protocol.
    :param text: its body.
    """

    def __init__(self, status: str, text: str = "") -> None:
        super().__init__(text)
        self.status = status
        self.text = text


def parse(head: bytes, template: Environ) -> Environ:
    """Return the WSGI environment of a request.

    :param head: everything before the empty line.
    :param template: what the environments of all requests have in common.
    :raises Refusal: for a head that isn't one.
    """
    first, _, block = head.partition(b"\r\n")
    read = _headers_again if len(block) <= _SHORT else _headers
    asked, headers = _first_line(first), read(block)
    if "HTTP_HOST" not in headers and asked["SERVER_PROTOCOL"] == "HTTP/1.1":
        raise Refusal("400 Bad Request", "An HTTP/1.1 request needs a Host header.")
    return {**template, **asked, **headers}


def _headers(block: bytes) -> Environ:
    environ: Environ = {}
    name = ""
    for line in block.split(b"\r\n") if block else ():
        if b"\n" in line:
            raise Refusal("400 Bad Request", "HTTP requires CRLF terminators")
        if _CONTROL.search(line):
            raise Refusal("400 Bad Request", "A header contains a control character.")
        if line[:1] in (b" ", b"\t"):
            value = line.strip(_BLANKS).decode("latin-1")
            if name:
                environ[name] = f"{environ[name]} {value}".strip() if value else environ[name]
            continue
        raw, colon, rest = line.partition(b":")
        if not colon:
            raise Refusal("400 Bad Request", "Illegal header line.")
        name = _variable(raw)
        if name:
            _add(environ, name, rest.strip(_BLANKS).decode("latin-1"))
    return environ


#: Most requests of a client have the headers of the one before.
_headers_again = lru_cache(maxsize=128)(_headers)


@lru_cache(maxsize=256)
def _variable(raw: bytes) -> str:
    """Return the variable of a header; empty for one that could be taken for another.

    Ironic takes names with blanks, which RFC 9112 (5.1) forbids: proxies may read them otherwise.
    """
    if not _TOKEN.fullmatch(raw):
        raise Refusal("400 Bad Request", "The name of a header is invalid.")
    if b"_" in raw:
        return ""
    name = raw.decode("latin-1").upper().replace("-", "_")
    return name if name in _WITHOUT_PREFIX else f"HTTP_{name}"


def _add(environ: Environ, name: str, value: str) -> None:
    before = environ.get(name)
    if before is not None and name == "HTTP_HOST":
        raise Refusal("400 Bad Request", "There is more than one Host header.")
    if before not in (None, value) and name == "CONTENT_LENGTH":
        raise Refusal("400 Bad Request", "There are different Content-Length headers.")
    if before and name.removeprefix("HTTP_") in _LISTS:
        value = f"{before}, {value}"
    environ[name] = value


def _first_line(line: bytes) -> Environ:
    if b"\n" in line:
        raise Refusal("400 Bad Request", "HTTP requires CRLF terminators")
    parts = line.strip().split(b" ", 2)
    if len(parts) != 3:
        raise Refusal("400 Bad Request", "Malformed Request-Line")
    method, target, protocol = parts
    major = _major_version(protocol)
    if method.upper() != method:
        raise Refusal("400 Bad Request", _CASE)
    path, query = _split(method, target)
    if major != 1:
        raise Refusal("505 HTTP Version Not Supported")
    return {
        "REQUEST_METHOD": method.decode("latin-1"),
        "PATH_INFO": path,
        "QUERY_STRING": query,
        "SERVER_PROTOCOL": protocol.decode("latin-1"),
    }


def _major_version(protocol: bytes) -> int:
    if protocol == b"HTTP/1.1":
        return 1
    if not protocol.startswith(b"HTTP/"):
        raise Refusal("400 Bad Request", "Malformed Request-Line: bad protocol")
    numbers = protocol[5:].split(b".", 1)
    if len(numbers) != 2:
        raise Refusal("400 Bad Request", "Malformed Request-Line: bad version")
    try:
        major, minor = map(int, numbers)
    except ValueError:
        raise Refusal("400 Bad Request", "Malformed Request-Line") from None
    if (major, minor) > (1, 1):
        raise Refusal("505 HTTP Version Not Supported", "Cannot fulfill request")
    return major


def _check_origin(target: bytes, absolute: bool, fragment: bytes) -> None:
    if absolute:
        raise Refusal("400 Bad Request", "Absolute URI not allowed if server is not a proxy.")
    if not target.startswith(b"/"):
        raise Refusal("400 Bad Request", _ORIGIN)
    if fragment:
        raise Refusal("400 Bad Request", "Illegal #fragment in Request-URI.")


def _split(method: bytes, target: bytes) -> tuple[str, str]:
    """Return path and query of the target."""
    if method != b"CONNECT" and _PLAIN_TARGET.fullmatch(target):
        return target.decode("ascii"), ""
    try:
        scheme, authority, path, query, fragment = urlsplit(target)
    except ValueError:
        raise Refusal("400 Bad Request", "Malformed Request-URI") from None
    if method == b"CONNECT":
        raise Refusal("405 Method Not Allowed")
    if method != b"OPTIONS":
        _check_origin(target, bool(scheme or authority), fragment)
        path = b"%2F".join(unquote_to_bytes(part) for part in _QUOTED_SLASH.split(path))
    return f"/{path.decode('latin-1').removeprefix('/')}", query.decode("latin-1")
