"""The network provider of nodes as specified, instead of the network interface.

Everything else works on the interface; here names are exchanged on the way in and on the way out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.baremetal.errors import Invalid

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fake_server.baremetal.api.patches import Patch

NETWORK = "network_interface"
PROVIDER = "network_provider"
#: What the document calls the provider that touches nothing, and its plug-in.
_NONE, _NOOP = "none", "noop"


def taken(_name: str, node: dict[str, Any]) -> dict[str, Any]:
    """Convert the provider of a new node; raise Invalid for ``network_interface``."""
    if isinstance(node, dict) and NETWORK in node:
        raise _unknown(NETWORK)
    if not isinstance(node, dict) or PROVIDER not in node:
        return node
    kept = {name: value for name, value in node.items() if name != PROVIDER}
    return {**kept, NETWORK: _interface(node[PROVIDER])}


def patched(_name: str, patch: Patch) -> Patch:
    """Convert the provider in a patch; raise Invalid for ``network_interface``."""
    found = []
    for operation in patch:
        if operation["path"] == f"/{NETWORK}":
            raise _unknown(NETWORK)
        if operation["path"] == f"/{PROVIDER}":
            operation = {**operation, "path": f"/{NETWORK}"}
            if "value" in operation:
                operation["value"] = _interface(operation["value"])
        found.append(operation)
    return found


def field(name: Any) -> Any:
    """Return the column for a field that a query names; raise Invalid for the released name."""
    if name == NETWORK:
        raise _unknown(NETWORK)
    return NETWORK if name == PROVIDER else name


def fields(names: Sequence[str] | None) -> list[str] | None:
    """Return the names in the database of fields that a query names."""
    return None if names is None else [field(name) for name in names]


def shown(node: dict[str, Any]) -> dict[str, Any]:
    """Return a node as it is shown."""
    return {
        PROVIDER if name == NETWORK else name: _provider(value) if name == NETWORK else value
        for name, value in node.items()
    }


def listed(answer: dict[str, Any]) -> dict[str, Any]:
    """Return a list of nodes as it is shown."""
    found = {**answer, "nodes": [shown(node) for node in answer["nodes"]]}
    if "next" in found:
        found["next"] = found["next"].replace(NETWORK, PROVIDER)
    return found


def _interface(provider: Any) -> Any:
    return _NOOP if provider == _NONE else provider


def _provider(interface: str | None) -> str | None:
    return _NONE if interface == _NOOP else interface


def _unknown(name: str) -> Invalid:
    return Invalid(f"Nodes have no field {name}: they have a {PROVIDER}.")
