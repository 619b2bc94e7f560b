"""A real Ironic in this process: its API and its conductor, without sockets and without Keystone.

It has to run in Ironic's own environment. Who asks is told by the headers that the middleware of
Keystone would set, so that anybody can be asked for.
"""

from __future__ import annotations

import io
import json
import logging
import os
import sqlite3
import time
from concurrent.futures import Future, wait
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

_CONF = """
[DEFAULT]
auth_strategy = keystone
my_ip = 127.0.0.1
host = localhost
rpc_transport = none
enabled_hardware_types = fake-hardware
default_deploy_interface = fake
default_boot_interface = fake
enabled_bios_interfaces = fake,no-bios
enabled_boot_interfaces = fake
enabled_console_interfaces = fake,no-console
enabled_deploy_interfaces = fake
enabled_firmware_interfaces = fake,no-firmware
enabled_inspect_interfaces = fake,no-inspect
enabled_management_interfaces = fake
enabled_power_interfaces = fake
enabled_raid_interfaces = fake,no-raid
enabled_rescue_interfaces = fake,no-rescue
enabled_vendor_interfaces = fake,no-vendor
enabled_network_interfaces = noop,flat
default_network_interface = noop
enabled_storage_interfaces = fake,noop,external,cinder
state_path = {state}/state
[api]
public_endpoint = http://ironic
[database]
connection = sqlite:///{state}/ironic.sqlite
[conductor]
automated_clean = false
send_sensor_data = false
heartbeat_timeout = 86400
node_locked_retry_attempts = 1
sync_power_state_interval = 0
check_allocations_interval = 0
[dhcp]
dhcp_provider = none
[oslo_messaging_notifications]
driver = noop
[oslo_concurrency]
lock_path = {state}/lock
[oslo_policy]
policy_file = {state}/policy.yaml
"""
_HOST = "localhost"
_SECONDS = 3.0


class Oracle:
    """Ironic with an empty database.

    :param directory: an empty directory for its files.
    :param policies: the text of its policy file.
    """

    def __init__(self, directory: Path, policies: str = "{}") -> None:
        self._database = directory / "ironic.sqlite"
        conf = directory / "ironic.conf"
        conf.write_text(_CONF.format(state=directory))
        (directory / "policy.yaml").write_text(policies)
        # Nothing may be imported before the configuration is read.
        from ironic.common import service

        service.prepare_service("ironic", ["ironic", "--config-file", str(conf)])
        logging.disable(logging.CRITICAL)
        from ironic.db import migration

        migration.create_schema()
        from ironic.conductor import rpc_service

        self._conductor = rpc_service.RPCService(
            _HOST, "ironic.conductor.manager", "ConductorManager", embed_api=False
        )
        self._conductor.start()
        self._working: list[Future[Any]] = []
        workers = self._conductor.manager._executor
        self._begin, workers.submit = workers.submit, self._submit
        from keystonemiddleware import auth_token

        from ironic.api import app

        auth_token.AuthProtocol = _Tokens
        self._app = app.VersionSelectorApplication()
        self._kept = sqlite3.connect(":memory:", check_same_thread=False)

    def send(
        self, method: str, path: str, body: Any = None, version: str = "1.115", **identity: str
    ) -> tuple[int, Any]:
        """Send a request; return status and body, once nothing is going on any more."""
        path, _, query = path.partition("?")
        data = b"" if body is None else json.dumps(body).encode()
        started: list[str] = []
        environ = {
            "REQUEST_METHOD": method,
            "SCRIPT_NAME": "",
            "PATH_INFO": path,
            "QUERY_STRING": query,
            "SERVER_NAME": "ironic",
            "SERVER_PORT": "80",
            "SERVER_PROTOCOL": "HTTP/1.1",
            "CONTENT_LENGTH": str(len(data)),
            "HTTP_ACCEPT": "application/json",
            "HTTP_X_OPENSTACK_IRONIC_API_VERSION": version,
            "wsgi.input": io.BytesIO(data),
            "wsgi.errors": io.StringIO(),
            "wsgi.url_scheme": "http",
            "wsgi.version": (1, 0),
            "wsgi.multithread": True,
            "wsgi.multiprocess": False,
            "wsgi.run_once": False,
            **({"CONTENT_TYPE": "application/json"} if data else {}),
            **identity,
        }
        answer = b"".join(self._app(environ, lambda status, *_: started.append(status)))
        if method != "GET":
            self._settle()
        try:
            return int(started[0].split()[0]), json.loads(answer or "null")
        except ValueError:
            return int(started[0].split()[0]), answer.decode()

    def happened(self, node: str, uuid: str) -> None:
        """Add an entry to the history of a node."""
        from ironic import objects
        from ironic.common import context

        admin = context.get_admin_context()
        found = objects.Node.get_by_name(admin, node)
        entry = {"event": "something", "severity": "INFO", "user": "u"}
        made = objects.NodeHistory(admin, node_id=found.id, **entry)
        made.create()
        # It draws its name itself.
        with sqlite3.connect(self._database) as connection:
            connection.execute("UPDATE node_history SET uuid = ? WHERE id = ?", (uuid, made.id))
        connection.close()

    def change(self, node: str, **fields: Any) -> None:
        """Change a node directly, without asking whether that may be.

        :param node: its UUID.
        """
        names = ", ".join(f"{name} = ?" for name in fields)
        statement = f"UPDATE nodes SET {names} WHERE uuid = ?"
        with sqlite3.connect(self._database) as connection:
            connection.execute(statement, (*fields.values(), node))
        connection.close()

    def register(self, policy: str, check: str) -> None:
        """Make a policy known that Ironic doesn't publish."""
        from oslo_policy.policy import RuleDefault

        from ironic.common.policy import get_enforcer

        get_enforcer().register_default(RuleDefault(policy, check))

    def keep(self) -> None:
        """Keep the present state."""
        with sqlite3.connect(self._database) as connection:
            connection.backup(self._kept)
        connection.close()

    def go_back(self) -> None:
        """Return to the state that was kept."""
        with sqlite3.connect(self._database) as connection:
            self._kept.backup(connection)
        connection.close()

    def close(self) -> None:
        """End the process: Ironic's threads would go on."""
        os._exit(0)

    def _settle(self) -> None:
        """Wait until the conductor has done what it was asked for."""
        while self._working:
            working = self._working.copy()
            self._working.clear()
            wait(working, _SECONDS)
        # What is done gives nodes back a moment later.
        end = time.monotonic() + _SECONDS
        while self._locked() and time.monotonic() < end:
            time.sleep(0.005)

    def _locked(self) -> bool:
        """Return whether the conductor works at a node."""
        with sqlite3.connect(self._database) as connection:
            rows = connection.execute("SELECT 1 FROM nodes WHERE reservation = ?", (_HOST,))
            found = rows.fetchone()
        connection.close()
        return found is not None

    def _submit(self, *arguments: Any, **named: Any) -> Future[Any]:
        started: Future[Any] = self._begin(*arguments, **named)
        self._working.append(started)
        return started


class _Tokens:
    """Stands for the middleware of Keystone: refuses who doesn't say who it is."""

    def __init__(self, app: Any, conf: Any) -> None:
        self._app = app

    def __call__(self, environ: Any, start_response: Any) -> Any:
        if "HTTP_X_USER_ID" in environ:
            return self._app(environ, start_response)
        start_response("401 Unauthorized", [])
        return [b""]
