"""Consoles in a browser."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from fake_server.baremetal import periodic
from fake_server.baremetal.drivers.base import ConsoleInterface
from fake_server.baremetal.drivers.driver_info import check_redfish
from fake_server.common import randomness

if TYPE_CHECKING:
    from fake_server.baremetal.task.protocol import Task

#: Where the container of a graphical console answers: an address for documentation (RFC 5737).
_CONTAINER = ("192.0.2.1", 5900)
#: Ironic has no default for ``[vnc]public_url``, and puts that into the links.
_PUBLIC_URL = None
#: Seconds that a token is good.
_TOKEN_TIMEOUT = 600
_SESSION = ("vnc_host", "vnc_port", "novnc_secret_token", "novnc_secret_token_created")


class GraphicalConsole(ConsoleInterface, names={"fake-graphical": "fake.FakeGraphicalConsole"}):
    """A console in a browser, whose container is nowhere."""

    def start(self, task: Task) -> None:
        """Give out a token for the console."""
        task.internal["vnc_host"], task.internal["vnc_port"] = _CONTAINER
        task.internal["novnc_secret_token"] = randomness.token(32)
        task.stamp("novnc_secret_token_created")
        task.node["console_enabled"] = True
        task.save()
        task.cancel_due(periodic.CONSOLE_EXPIRY)
        task.make_due(periodic.CONSOLE_EXPIRY, _TOKEN_TIMEOUT)

    def stop(self, task: Task) -> None:
        """Take the token back."""
        task.forget(*_SESSION)
        task.node["console_enabled"] = False
        task.save()
        task.cancel_due(periodic.CONSOLE_EXPIRY)

    def access(self, task: Task) -> dict[str, Any]:
        """Return the address of the browser's page."""
        token = task.internal.get("novnc_secret_token")
        path = quote(f"websockify?node={task.node['uuid']}&token={token}")
        return {"type": "vnc", "url": f"{_PUBLIC_URL}?path={path}"}


class RedfishGraphicalConsole(
    GraphicalConsole,
    names={"redfish-graphical": "redfish.graphical_console.RedfishGraphicalConsole"},
):
    """The console of a Redfish controller in a browser."""

    properties = ("redfish",)

    def validate(self, task: Task) -> None:
        """Check how the controller is reached."""
        check_redfish(task.node)
