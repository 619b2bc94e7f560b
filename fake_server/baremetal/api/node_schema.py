"""The schemas of requests that create or change a node."""

from __future__ import annotations

from typing import Any

from fake_server.baremetal import arguments
from fake_server.baremetal.api import network_data
from fake_server.baremetal.arguments import ArgumentChecker, checked
from fake_server.baremetal.fields import Settable
from fake_server.baremetal.node_fields import NODES

#: Fields that Ironic names after all others.
_NAMED_LAST = ("parent_node", "firmware_interface")
#: Fields that a patch may touch, in the order in which errors name them.
PATCHABLE = (*sorted({*NODES.patchable}.difference(_NAMED_LAST)), *_NAMED_LAST)


def _schema(request: Settable) -> dict[str, Any]:
    data = {
        "anyOf": [
            {"type": "null"},
            {"type": "object", "additionalProperties": False},
            network_data.schema(),
        ]
    }
    schema = NODES.schema(request, network_data=data)
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        **schema,
        "properties": dict(sorted(schema["properties"].items())),
    }


def _converters() -> dict[str, arguments.Converter]:
    """Return converters by field, in the order in which Ironic looks at the values."""
    converters = {field.name: field.kind.converter for field in NODES.rows if field.settable}
    order = sorted(converters, key=lambda name: "m" if name == "protected" else name)
    return {name: converters[name] for name in order}


_values = arguments.mapping(**_converters())
#: Takes a node to create.
new_node = arguments.chain(checked(lambda: _schema(Settable.CREATE)), _values)
#: Takes a node that was patched.
patched_node = arguments.chain(checked(lambda: _schema(Settable.ALWAYS)), _values)
#: Checks ``network_data`` by itself.
NETWORK_DATA = ArgumentChecker(network_data.schema)
