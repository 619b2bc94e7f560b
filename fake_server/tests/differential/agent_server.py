"""An agent with a server of its own, which does at once what it is told."""

from __future__ import annotations

from http.server import ThreadingHTTPServer
from threading import Condition, Thread
from typing import Any

from fake_server.tests.baremetal.played_services import JsonHandler

JSON = {"Content-Type": "application/json"}
_WAIT_SECONDS = 5.0
_MANAGER = "GenericHardwareManager"
#: What it offers by flow: name, interface, priority, and whether it wants a reboot afterwards.
_STEPS = {
    "clean": [
        ("erase_devices_metadata", "deploy", 99, False),
        ("burnin", "deploy", 0, True),
        ("create_configuration", "raid", 0, False),
        ("delete_configuration", "raid", 0, False),
    ],
    "deploy": [("write_image", "deploy", 0, False), ("apply_configuration", "raid", 0, False)],
    "service": [("burnin", "deploy", 0, False), ("apply_configuration", "raid", 0, False)],
}


class Agent(ThreadingHTTPServer):
    """Keeps its commands until it is restarted; ``url`` is where it is reached."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.url = f"http://127.0.0.1:{self.server_port}/agent"
        self._commands: list[dict[str, Any]] = []
        self._asked = 0
        self._changed = Condition()
        Thread(target=self.serve_forever, args=(0.01,), daemon=True).start()

    @property
    def asked(self) -> int:
        """How often it was asked for anything."""
        return self._asked

    def restart(self) -> None:
        """Forget the commands, as a node's reboot makes it."""
        self._commands = []

    def wait_for_question(self, count: int) -> None:
        """Wait until it was asked more than so often, or until that takes too long."""
        with self._changed:
            self._changed.wait_for(lambda: self._asked > count, _WAIT_SECONDS)

    def reply(self, command: dict[str, Any] | None) -> dict[str, Any]:
        """Carry a command out, or list those that were."""
        if command is None:
            found: dict[str, Any] = {"commands": self._commands}
        else:
            found = _carry_out(command["name"].rpartition(".")[2], command["params"])
            self._commands.append(found)
        with self._changed:
            self._asked += 1
            self._changed.notify_all()
        return found


def _carry_out(name: str, params: dict[str, Any]) -> dict[str, Any]:
    result: dict[str, Any] = {"result": "done"}
    flow = name.split("_")[1]
    if name.startswith("get_") and name.endswith("_steps"):
        offered = [
            {
                "step": step,
                "interface": interface,
                "priority": priority,
                "reboot_requested": reboots,
                "abortable": True,
            }
            for step, interface, priority, reboots in _STEPS[flow]
        ]
        version = {_MANAGER: "1.2"}
        result = {f"{flow}_steps": {_MANAGER: offered}, "hardware_manager_version": version}
    elif name.startswith("execute_"):
        done = {"deploy_result" if flow == "deploy" else f"{flow}_result": None}
        result = {**done, f"{flow}_step": params["step"]}
        if params["step"]["step"] == "create_configuration":
            result["clean_result"] = params["node"]["target_raid_config"]
    return {
        "id": "1",
        "command_name": name,
        "command_params": {},
        "command_status": "SUCCEEDED",
        "command_error": None,
        "command_result": result,
    }


class _Handler(JsonHandler):
    server: Agent

    def get(self) -> None:
        self.answer(self.server.reply(None), **JSON)

    def post(self) -> None:
        self.answer(self.server.reply(self.sent()), **JSON)
