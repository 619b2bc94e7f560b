"""Shared by the commands for vendor methods of drivers and of nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from baremetalclient.osc import argument_types

if TYPE_CHECKING:
    from baremetalclient.osc.parser import ArgumentParser

HTTP_METHODS = ("POST", "PUT", "GET", "DELETE", "PATCH")


def add_call(parser: ArgumentParser) -> None:
    """Add the method to call and its arguments."""
    parser.add_argument("method", metavar="<method>", help="Vendor method to call.")
    parser.add_argument(
        "--arg",
        metavar="<key=value>",
        action="append",
        type=argument_types.key_value,
        default=[],
        help="Argument of the method. Can be repeated.",
    )
    parser.add_argument(
        "--http-method",
        metavar="<http-method>",
        choices=HTTP_METHODS,
        default="POST",
        help=f"HTTP method of the call, one of {', '.join(HTTP_METHODS)}; POST by default.",
    )


def to_json(result: Any) -> Any:
    """Return the result of a vendor method as JSON: resources as dictionaries.

    :param result: a resource, any other JSON, or None.
    """
    from baremetalclient._resource.resource import Resource

    return result.to_dict() if isinstance(result, Resource) else result


COLUMNS = {
    "name": "Name",
    "http_methods": "Supported HTTP methods",
    "async": "Async",
    "description": "Description",
    "attach": "Response is attachment",
}
"""The columns of a list of vendor methods, and their labels for those of nodes."""


def list_methods(methods: dict[str, Any]) -> list[dict[str, Any]]:
    """Return vendor methods with the :data:`COLUMNS`.

    :param methods: descriptions by name.
    """
    return [
        {
            **method,
            "name": name,
            "http_methods": ", ".join(map(str, method.get("http_methods", ()))),
        }
        for name, method in methods.items()
    ]
