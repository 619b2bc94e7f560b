"""A field is one row of a table: what follows from it, seen over HTTP."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

PROGRAM = '''
import importlib.util, json, sys
import requests

ROWS = """
    Field("rack", since=90, settable=ALWAYS, policy="update_extra", filter=Filter(91)),
    Field("temperature", since=92),
"""
spec = importlib.util.find_spec("fake_server.baremetal.node_fields")
module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
start = "NODES = Fields("
source = open(spec.origin).read()
assert source.count(start) == 1
exec(compile(source.replace(start, start + ROWS), spec.origin, "exec"), module.__dict__)
import fake_server.baremetal
fake_server.baremetal.node_fields = module

from fake_server.server import FakeServer

server = FakeServer(seed={"nodes": [{"name": "seeded", "rack": "r0", "temperature": "cool"}]})
session = requests.Session()
session.mount("http://fake", server.adapter())

def ask(method, path, body=None, minor=92):
    headers = {"X-OpenStack-Ironic-API-Version": f"1.{minor}"}
    answer = session.request(method, f"http://fake/v1{path}", json=body, headers=headers)
    return answer.status_code, answer.json() if answer.content else None

made = ask("POST", "/nodes", {"driver": "fake-hardware", "name": "a", "rack": "r1"})
patch = [{"op": "replace", "path": "/rack", "value": "r2"}]
hot = [{"op": "replace", "path": "/temperature", "value": "hot"}]
json.dump(
    {
        "made": [made[0], made[1].get("rack")],
        "too old to create": ask("POST", "/nodes", {"driver": "fake-hardware", "rack": "x"}, 89)[0],
        "patched": ask("PATCH", "/nodes/a", patch)[1].get("rack"),
        "read-only": [ask("PATCH", "/nodes/a", hot)[0],
                      ask("POST", "/nodes", {"driver": "fake-hardware", "temperature": "x"})[0]],
        "wrong": ask("PATCH", "/nodes/a", [{**patch[0], "value": 5}])[0],
        "filtered": [n["name"] for n in ask("GET", "/nodes?rack=r2")[1]["nodes"]],
        "filter too old": ask("GET", "/nodes?rack=r2", minor=90)[0],
        "sorted": [n["rack"] for n in ask("GET", "/nodes?sort_key=rack&fields=rack")[1]["nodes"]],
        "older": sorted(
            {"rack", "temperature"} & set(ask("GET", "/nodes/seeded", minor=91)[1])
        ),
        "seeded": [ask("GET", "/nodes/seeded")[1].get(name) for name in ("rack", "temperature")],
    },
    sys.stdout,
)
'''


@pytest.mark.night("loads the server anew")
def test_a_new_field_of_nodes_is_one_row():
    run = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    assert json.loads(run.stdout) == {
        "made": [201, "r1"],
        "too old to create": 406,
        "patched": "r2",
        "read-only": [400, 400],
        "wrong": 400,
        "filtered": ["a"],
        "filter too old": 406,
        "sorted": ["r0", "r2"],
        "older": ["rack"],
        "seeded": ["r0", "cool"],
    }


OTHERS = """
import importlib.util, json, re, sys
import requests

spec = importlib.util.find_spec("fake_server.baremetal.resource_fields")
module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
row = "Fields(Field('rack', since=112, settable=_ALWAYS), "
source, count = re.subn(r"(?<== )Fields\\(", row, open(spec.origin).read())
exec(compile(source, spec.origin, "exec"), module.__dict__)
import fake_server.baremetal
fake_server.baremetal.resource_fields = module

from fake_server.server import FakeServer

seeded = {"name": "seeded", "power_state": "power off",
          "ports": [{"address": "52:54:00:00:00:09", "rack": "r0"}]}
server = FakeServer(seed={"nodes": [seeded], "chassis": [{"description": "c", "rack": "r0"}]})
session = requests.Session()
session.mount("http://fake", server.adapter())

def ask(method, path, body=None, minor=112):
    headers = {"X-OpenStack-Ironic-API-Version": f"1.{minor}"}
    answer = session.request(method, f"http://fake/v1/{path}", json=body, headers=headers)
    return answer.status_code, answer.json() if answer.content else {}

node = ask("GET", "nodes/seeded")[1]["uuid"]
step = {"interface": "deploy", "step": "deploy", "args": {}}
bodies = {
    "ports": {"address": "52:54:00:00:00:01", "node_uuid": node},
    "portgroups": {"node_uuid": node},
    "volume/connectors": {"node_uuid": node, "type": "iqn", "connector_id": "i"},
    "volume/targets": {"node_uuid": node, "volume_type": "t", "boot_index": 0, "volume_id": "v"},
    "chassis": {},
    "deploy_templates": {"name": "CUSTOM_T", "steps": [{**step, "priority": 1}]},
    "runbooks": {"name": "CUSTOM_R", "steps": [{**step, "order": 1}]},
    "inspection_rules": {"actions": [{"op": "fail", "args": {"msg": "m"}}], "conditions": []},
}
found = {}
for path, body in bodies.items():
    status, made = ask("POST", path, {**body, "rack": "r1"})
    patch = [{"op": "replace", "path": "/rack", "value": "r2"}]
    one = f"{path}/{made.get('uuid')}"
    found[path] = [status, made.get("rack"), ask("PATCH", one, patch)[1].get("rack"),
                   ask("PATCH", one, [{**patch[0], "value": 5}])[0], ask("GET", one)[1].get("rack")]
listed = [ask("GET", f"{path}?fields=rack")[1][path] for path in ("ports", "chassis")]
json.dump([count, found, [[one["rack"] for one in rows] for rows in listed]], sys.stdout)
"""


@pytest.mark.night("loads the server anew")
def test_a_new_field_of_another_resource_is_one_row():
    run = subprocess.run([sys.executable, "-c", OTHERS], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    count, found, listed = json.loads(run.stdout)
    assert count == 9
    assert found == {key: [201, "r1", "r2", 400, "r2"] for key in found}
    assert listed == [["r0", "r2"], ["r0", "r2"]]


RESOURCE = """
import json, sys
import requests

from fake_server.baremetal import arguments, tables
from fake_server.baremetal.api import policies
from fake_server.baremetal.api.endpoint import expose
from fake_server.baremetal.api.handlers import root
from fake_server.baremetal.api.routing import Controller
from fake_server.baremetal.api.resources import PlainController
from fake_server.baremetal.fields import INTEGER, OBJECT, UUID, Field, Fields, Settable
from fake_server.baremetal.models.model import Model
from fake_server.common.policies import table

FIELDS = Fields(
    Field("uuid", UUID, nullable=False, settable=Settable.CREATE),
    Field("name", settable=Settable.ALWAYS, required=True),
    Field("units", INTEGER, default=42, settable=Settable.ALWAYS),
    Field("extra", OBJECT, settable=Settable.ALWAYS),
    listed=("uuid", "name"),
)

class RacksController(PlainController):
    opened = (100, "racks")
    model = Model(tables.resource("racks", FIELDS, unique=["uuid", "name"]), FIELDS, "rack")
    path, kind, called = "racks", "rack", {"ident": "rack_ident", "values": "rack"}
    converter = arguments.chain(arguments.checked(FIELDS.schema()), FIELDS.converter())

class SilentController(Controller):
    @expose(policy="rack:get")
    def get_all(self, ctx):
        return {}

rights = "role:admin\\n " + " ".join(
    f"baremetal:rack:{action}" for action in ("get", "create", "update", "delete")
)
policies.POLICIES.rules.update(table(rights))
root.RESOURCES["racks"] = (RacksController, 100)
root.RESOURCES["silent"] = (SilentController, 100)

from fake_server.server import FakeServer

session = requests.Session()
session.mount("http://fake", FakeServer().adapter())

def ask(method, path, body=None, minor=100):
    headers = {"X-OpenStack-Ironic-API-Version": f"1.{minor}"}
    answer = session.request(method, f"http://fake/v1{path}", json=body, headers=headers)
    return answer.status_code, answer.json() if answer.content else {}

patch = [{"op": "replace", "path": "/units", "value": 10}]
made = ask("POST", "/racks", {"name": "a"})
json.dump(
    {
        "made": [made[0], made[1]["units"], sorted(made[1])],
        "too old": [ask("GET", "/racks", minor=99)[0], ask("POST", "/racks", {}, 99)[0]],
        "wrong": [ask("POST", "/racks", {})[0], ask("POST", "/racks", {"name": "b", "size": 1})[0]],
        "taken": ask("POST", "/racks", {"name": "a"})[0],
        "patched": ask("PATCH", "/racks/a", patch)[1]["units"],
        "listed": [sorted(rack) for rack in ask("GET", "/racks")[1]["racks"]],
        "chosen": ask("GET", "/racks?fields=units")[1]["racks"][0]["units"],
        "document": "racks" in ask("GET", "")[1],
        "asks nothing": ask("GET", "/silent")[0],
        "removed": [ask("DELETE", "/racks/a")[0], ask("GET", "/racks/a")[0]],
    },
    sys.stdout,
)
"""


@pytest.mark.night("loads the server anew")
def test_a_new_resource_is_one_class():
    run = subprocess.run([sys.executable, "-c", RESOURCE], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    assert json.loads(run.stdout) == {
        "made": [
            201,
            42,
            ["created_at", "extra", "links", "name", "units", "updated_at", "uuid"],
        ],
        "too old": [404, 405],
        "wrong": [400, 400],
        "taken": 409,
        "patched": 10,
        "listed": [["links", "name", "uuid"]],
        "chosen": 10,
        "document": True,
        "asks nothing": 500,
        "removed": [204, 404],
    }
