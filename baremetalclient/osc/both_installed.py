"""What the plugin does if python-ironicclient is installed too.

Both packages provide the option ``--os-baremetal-api-version``, the client and the commands of
``openstack baremetal``, and OpenStackClient loads plugins in no particular order.
"""

from __future__ import annotations

import logging
import sys
from importlib import metadata
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable

LOG = logging.getLogger(__name__)

OTHER_PLUGIN = "ironicclient.osc.plugin"

_COMMAND_GROUP = "openstack.baremetal.v1"


def is_other_loaded() -> bool:
    """Return whether OpenStackClient has loaded the plugin of python-ironicclient."""
    return OTHER_PLUGIN in sys.modules


def replace_other_plugin(api_name: str, make_client: Callable[[Any], Any]) -> None:
    """Disable the plugin of python-ironicclient, whether it is before or after ours.

    :param api_name: the attribute of the client manager.
    :param make_client: returns our client for a client manager.
    """
    from osc_lib.clientmanager import ClientManager
    from stevedore import ExtensionManager

    other: Any = sys.modules[OTHER_PLUGIN]
    other.build_option_parser = _add_no_options
    # OpenStackClient loads no commands for a plugin without a version.
    other.API_VERSION_OPTION, other.DEFAULT_API_VERSION = "os_no_such_api_version", ""
    setattr(ClientManager, api_name, type(vars(ClientManager)[api_name])(make_client))
    # If commands of both were found, there would be a warning for each of them.
    ExtensionManager.ENTRY_POINT_CACHE[_COMMAND_GROUP] = [
        command
        for command in metadata.entry_points(group=_COMMAND_GROUP)
        if not command.value.startswith("ironicclient.")
    ]


def warn() -> None:
    """Log which of the two packages is used, and how to get rid of the other."""
    LOG.warning(
        "Both baremetalclient and python-ironicclient are installed; baremetalclient is used. "
        "To remove the other one: pip uninstall python-ironicclient; "
        "pip install --force-reinstall --no-deps baremetalclient"
    )


def _add_no_options(parser: argparse.ArgumentParser) -> argparse.ArgumentParser:
    return parser
