"""``baremetalclient.v1.client``, with python-ironicclient's default for the version of the API."""

from __future__ import annotations

from typing import Any

from baremetalclient.microversion import IRONICCLIENT
from baremetalclient.v1 import client


class Client(client.Client):
    """A client for one Bare Metal service; the arguments are those of its base."""

    def __init__(self, *args: Any, **options: Any) -> None:
        options["os_ironic_api_version"] = options.get("os_ironic_api_version") or IRONICCLIENT
        super().__init__(*args, **options)
