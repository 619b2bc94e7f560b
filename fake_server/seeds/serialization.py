"""Seeds as text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import yaml

if TYPE_CHECKING:
    from collections.abc import Mapping


def as_yaml(seed: Mapping[str, Any]) -> str:
    """Return a seed in YAML, as :func:`~fake_server.seeds.parsing.load` reads it."""
    dumper = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
    text = yaml.dump(dict(seed), Dumper=dumper, sort_keys=False, allow_unicode=True, width=100)
    return str(text)
