"""Shared by the commands for vendor methods of drivers and of nodes."""

from __future__ import annotations

from typing import Any

from baremetalclient.osc.options import Argument, KeyValueOption, Option, words

CALL = (
    Argument("method", help="Vendor method to call."),
    KeyValueOption("args", flag="--arg", help="Argument of the method."),
    Option(
        "http_method",
        choices=words("HTTPMethod"),
        help="HTTP method of the call, one of {choices}; POST by default.",
    ),
)
"""The method to call, and its arguments."""


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
