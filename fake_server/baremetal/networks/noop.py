"""The provider that touches nothing and remembers nothing."""

from __future__ import annotations

from .base import NetworkProvider


class NoopNetwork(NetworkProvider):
    """Accepts every VIF and lists none."""
