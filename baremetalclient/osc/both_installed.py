"""What the plugin does if python-ironicclient is installed too.

Both packages provide the option ``--os-baremetal-api-version``, the client and the commands of
``openstack baremetal``, and OpenStackClient loads plugins in no particular order.
"""

from __future__ import annotations

from importlib import metadata
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

_COMMAND_GROUP = "openstack.baremetal.v1"


def disable_other_plugin(other: Any, api_name: str, make_client: Callable[[Any], Any]) -> None:
    """Disable the plugin of python-ironicclient, whether OpenStackClient asks it first or ours.

    :param make_client: returns our client for a client manager.
    """
    from osc_lib.clientmanager import ClientManager
    from stevedore import ExtensionManager

    other.build_option_parser = lambda parser: parser
    # OpenStackClient loads no commands for a plugin without a version.
    other.API_VERSION_OPTION, other.DEFAULT_API_VERSION = "os_no_such_api_version", ""
    setattr(ClientManager, api_name, type(vars(ClientManager)[api_name])(make_client))
    # If commands of both were found, there would be a warning for each of them.
    ExtensionManager.ENTRY_POINT_CACHE[_COMMAND_GROUP] = [
        command
        for command in metadata.entry_points(group=_COMMAND_GROUP)
        if not command.value.startswith("ironicclient.")
    ]
