"""YAML with references to secrets."""

from __future__ import annotations

import yaml

from baremetalclient.declare.secrets import TAG, Reference


class Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
    """The fastest safe loader that is installed, which also supports ``!secret``."""


def _reference(loader: yaml.SafeLoader, node: yaml.Node) -> Reference:
    scalar = node.value if isinstance(node, yaml.ScalarNode) else None
    return Reference(scalar)


Loader.add_constructor(TAG, _reference)
