"""Render errors as responses."""

from __future__ import annotations

import json
from http import HTTPStatus
from typing import TYPE_CHECKING

from fake_server.baremetal.api.negotiation import HTML, JSON, PLAIN, best
from fake_server.baremetal.errors import MALFORMED
from fake_server.common import randomness
from fake_server.common.wsgi import Response

if TYPE_CHECKING:
    from collections.abc import Callable

    from fake_server.baremetal.errors import RoutingError
    from fake_server.common.wsgi import Request

JSON_HEADER = ("Content-Type", "application/json")

_COMMON = "{explanation}<br /><br />\n{detail}\n\n"
_BODIES = {
    404: _COMMON.replace("{explanation}", "The resource could not be found."),
    405: "The method {method} is not allowed for this resource. <br /><br />\n{detail}",
    406: (
        "The resource could not be generated that was acceptable to your browser\n"
        "(content of type {accept}. <br /><br />\n{detail}"
    ),
}


def fault(status: int, text: str, headers: list[tuple[str, str]]) -> Response:
    """Return an error of a handler: JSON in a JSON string.

    :param headers: additional headers of the response.
    """
    code = "Client" if status < 500 else "Server"
    inner = {"faultcode": code, "faultstring": text, "debuginfo": None}
    return _wrapped(status, json.dumps(inner), headers)


def bodiless(error: Response) -> Response:
    """Return an error as the answer to a HEAD: about a body that isn't there, it says nothing."""
    headers = [pair for pair in error.headers if pair[0] != JSON_HEADER[0]]
    return Response(
        error.status, json.dumps({"error_message": ""}).encode(), [*headers, JSON_HEADER]
    )


def identified(response: Response) -> Response:
    """Give an answer the id of its request."""
    request_id = f"req-{randomness.uuid()}"
    response.headers.append(("x-openstack-request-id", request_id))
    response.headers.append(("openstack-request-id", request_id))
    return response


def bare_fault(status: int, text: str) -> Response:
    """Return an error about a body that nothing has looked at yet."""
    inner = {
        "faultcode": "Client",
        "faultstring": f"{text} Please contact the service administrator.",
    }
    return Response(status, json.dumps(inner).encode(), [JSON_HEADER])


def routing_error(request: Request, error: RoutingError) -> Response:
    """Return an error of an address: JSON in a JSON string, or a page where JSON is not wanted."""
    accept = request.header("HTTP_ACCEPT")
    title = HTTPStatus(error.code).phrase
    if best(accept, PLAIN, HTML, JSON) == JSON:
        inner = {"code": error.code, "title": title, "description": error.description}
        text = json.dumps(inner)
    else:
        page = _PAGES[best(accept, HTML, JSON) if accept else None]
        text = page(request, error, title)
    headers = list(error.headers)
    if error.allow is not None:
        headers.append(("Allow", ", ".join(error.allow)))
    return _wrapped(error.code, text, headers)


def _wrapped(status: int, text: str, headers: list[tuple[str, str]]) -> Response:
    body = json.dumps({"error_message": text}).encode()
    return Response(status, body, [*headers, JSON_HEADER])


def _html(request: Request, error: RoutingError, title: str) -> str:
    from html import escape  # see rest.page()

    status = f"{error.code} {title}"
    body = _filled(request, error, escape)
    return (
        f"<html>\n <head>\n  <title>{status}</title>\n </head>\n <body>\n"
        f"  <h1>{status}</h1>\n  {body}\n </body>\n</html>"
    )


def _json(request: Request, error: RoutingError, title: str) -> str:
    """Return the page in JSON: where that is acceptable, and another type is liked better."""
    message = _filled(request, error, str)
    return json.dumps({"message": message, "code": f"{error.code} {title}", "title": title})


def _plain(request: Request, error: RoutingError, title: str) -> str:
    text = _filled(request, error, str).replace("\n", " ").replace("<br />", "\n")
    return f"{error.code} {title}\n\n{text}"


def _filled(request: Request, error: RoutingError, escaped: Callable[[str], str]) -> str:
    return _BODIES.get(error.code, _COMMON).format(
        explanation=MALFORMED,
        detail=escaped(error.description),
        method=escaped(request.method),
        accept=escaped(request.header("HTTP_ACCEPT") or ""),
    )


_PAGES: dict[str | None, Callable[[Request, RoutingError, str], str]] = {
    HTML: _html,
    JSON: _json,
    None: _plain,
}
