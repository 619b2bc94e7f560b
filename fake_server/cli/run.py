"""``baremetal-fake-server exec``: run a command beside a server."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from fake_server.cli import cloud_config
from fake_server.cli.ctl_commands import TOKEN_VARIABLE, URL_VARIABLE

if TYPE_CHECKING:
    from fake_server.server import FakeServer


def run(server: FakeServer, command: list[str], account: str | None) -> int:
    """Run a command with the variables that lead it to a server.

    :param server: is prepared, and stopped when the command ends.
    :param account: whose variables the command gets; those of the first account on the system
        if not given.
    :returns: exit status of the command.
    """
    with server, tempfile.TemporaryDirectory(prefix="baremetal-fake-server-") as directory:
        try:
            settings = server.app.settings
            variables = cloud_config.environment(
                server.url, settings, Path(directory), account, server.ca_file
            )
            if settings.auth == "keystone":
                who = cloud_config.identity(settings, account)
                print(f"baremetal-fake-server: the command is {who}", file=sys.stderr)
            kept = {name: value for name, value in os.environ.items() if not _leads_elsewhere(name)}
            if settings.tls and "OS_CACERT" in os.environ:
                # Whoever brings a certificate says by which CA it is to be verified.
                variables.setdefault("OS_CACERT", os.environ["OS_CACERT"])
            variables[URL_VARIABLE] = server.url
            if settings.control_token:
                variables[TOKEN_VARIABLE] = settings.control_token
            environment = {**kept, **variables}
            return subprocess.run(command, env=environment, check=False).returncode  # noqa: S603
        except ValueError as exc:
            print(f"baremetal-fake-server: {exc}", file=sys.stderr)
            return 2
        except OSError as exc:
            print(f"baremetal-fake-server: {exc}", file=sys.stderr)
            return 127


def _leads_elsewhere(name: str) -> bool:
    """Tell whether a variable of the environment would lead a client to another cloud."""
    if not name.startswith("OS_") or name.startswith("OS_BAREMETAL_"):
        return False
    # Two underscores are those of options of a service, as oslo.config reads them.
    return "__" not in name
