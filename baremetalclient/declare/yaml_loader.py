"""YAML with references to secrets."""

from __future__ import annotations

import yaml

from baremetalclient import _yaml
from baremetalclient.declare.secrets import TAG, Reference


class Loader(_yaml.Loader):
    """A loader that also supports ``!secret``."""


def _reference(loader: yaml.SafeLoader, node: yaml.Node) -> Reference:
    scalar = node.value if isinstance(node, yaml.ScalarNode) else None
    return Reference(scalar)


Loader.add_constructor(TAG, _reference)
