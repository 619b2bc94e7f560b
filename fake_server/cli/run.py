"""``baremetal-fake-server exec``: run a command against a fake server."""

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
    """Run a command with environment variables to connect to a server.

    :param server: the prepared server, which is stopped when the command ends.
    :param account: name of the account that the variables are for; by default the first one, on the
        whole system.
    :returns: exit code of the command.
    """
    with server, tempfile.TemporaryDirectory(prefix="baremetal-fake-server-") as directory:
        try:
            settings = server.app.settings
            variables = cloud_config.environment(
                server.url, settings, Path(directory), account, server.ca_file
            )
            if settings.auth == "keystone":
                who = cloud_config.identity(settings, account)
                print(f"baremetal-fake-server: the command runs as {who}", file=sys.stderr)
            kept = {
                name: value for name, value in os.environ.items() if not _is_for_another_cloud(name)
            }
            if settings.tls and "OS_CACERT" in os.environ:
                # With --tls-cert, only the user knows which CA issued the certificate.
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


def _is_for_another_cloud(name: str) -> bool:
    """Return whether an environment variable would make a client use another cloud."""
    if not name.startswith("OS_") or name.startswith("OS_BAREMETAL_"):
        return False
    # oslo.config reads options of services from variables with two underscores.
    return "__" not in name
