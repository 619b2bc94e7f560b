"""A server that is killed loses nothing that it acknowledged.

``FAKE_SERVER_KILLS`` says how often it is killed (default: 1, or 5 with ``--all``).
"""

from __future__ import annotations

import http.client
import json
import os
import random
import subprocess
import sys
import threading
import time
from contextlib import suppress

CLIENTS = 4
HEADERS = {"Content-Type": "application/json", "X-OpenStack-Ironic-API-Version": "1.95"}


class Server:
    """A server of its own process, with a database in a file."""

    def __init__(self, file):
        command = [sys.executable, "-m", "fake_server.cli", "--port", "0"]
        command += ["--db", f"sqlite:///{file}"]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        self._address = self.process.stdout.readline().strip().removeprefix("http://")

    def ask(self, method, path, body=None):
        connection = http.client.HTTPConnection(self._address, timeout=30)
        data = None if body is None else json.dumps(body)
        connection.request(method, path, data, HEADERS)
        answer = connection.getresponse()
        content = answer.read()
        connection.close()
        return answer.status, json.loads(content) if content else None

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()


def enrol(server, prefix, names):
    """Enrol nodes, and delete each third one, until the server is gone; note what it has said."""
    with suppress(OSError, http.client.HTTPException):
        for number in range(10_000):
            name = f"{prefix}-{number}"
            body = {"driver": "fake-hardware", "name": name}
            if server.ask("POST", "/v1/nodes", body)[0] == 201:
                names[name] = True
            if number % 3 == 2:
                names.pop(name)  # It isn't known whether it is there until that is answered.
                if server.ask("DELETE", f"/v1/nodes/{name}")[0] == 204:
                    names[name] = False


def test_a_killed_server_loses_nothing_that_it_acknowledged(tmp_path, pytestconfig):
    random_number = random.Random(1)
    kills = int(os.environ.get("FAKE_SERVER_KILLS", 5 if pytestconfig.getoption("--all") else 1))
    names = {}
    for kill in range(kills):
        server = Server(tmp_path / "db")
        clients = [
            threading.Thread(target=enrol, args=(server, f"k{kill}-c{client}", names))
            for client in range(CLIENTS)
        ]
        for client in clients:
            client.start()
        before = len(names)
        while len(names) < before + CLIENTS:
            assert any(client.is_alive() for client in clients), names
            time.sleep(0.01)
        time.sleep(random_number.uniform(0, 0.2))
        server.kill()
        for client in clients:
            client.join()
    server = Server(tmp_path / "db")
    try:
        nodes = []
        while found := server.ask("GET", f"/v1/nodes?{f'marker={nodes[-1]}' if nodes else ''}")[1]:
            page = found["nodes"]
            nodes += [node["uuid"] for node in page]
            for node in page:
                names.setdefault(node["name"], True)
                assert names.pop(node["name"]), f"{node['name']} was deleted"
            if "next" not in found:
                break
        assert [name for name, present in names.items() if present] == []
        assert len(nodes) > kills
    finally:
        server.kill()
