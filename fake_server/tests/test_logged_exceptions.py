"""No secret is in a logged exception, whichever place logs it."""

from __future__ import annotations

import ast
import io
import logging
from pathlib import Path

import pytest
import requests

import fake_server
from fake_server.baremetal.agents import http_agent
from fake_server.baremetal.conductor import allocations, validation
from fake_server.baremetal.conductor.due import power_sync
from fake_server.baremetal.drivers.base import InspectInterface
from fake_server.baremetal.drivers.networks.noop import NoopNetwork
from fake_server.baremetal.hardware_types import TYPES
from fake_server.baremetal.models.nodes import NODES
from fake_server.common.logs import logger
from fake_server.compute import manager
from fake_server.httpd import gateway
from fake_server.server import FakeServer
from fake_server.settings import Settings
from fake_server.tests.baremetal.api import Api
from fake_server.tests.compute.conftest import Cloud

ROOT = Path(fake_server.__file__).parent
#: Found by value alone: nothing beside it tells what it is.
SECRET = "s3c-of 'the' \"node\""
LOCAL = "s3c-local"
DRIVER_INFO = {"ipmi_password": SECRET, "ipmi_address": "192.0.2.7"}


def crash(*arguments, **_options):
    """Fail with secrets in the text: of this function, and of the node among the arguments."""
    password = LOCAL
    nodes = [getattr(getattr(one, "_task", one), "node", one) for one in arguments]
    nodes = [one for one in nodes if isinstance(one, dict) and "driver_info" in one]
    found = [node["driver_info"]["ipmi_password"] for node in nodes]
    raise ValueError(f"can't use {password}, {found!r}, {found} at 192.0.2.7")


def work(monkeypatch):
    monkeypatch.setattr(InspectInterface, "inspect", crash)
    monkeypatch.setattr(InspectInterface, "clean_up", crash)
    api = Api(delay=60)
    api.enrol(driver_info=DRIVER_INFO)
    for verb in ("manage", "inspect"):
        api.provision(verb)
        api.clock.advance(100)
        api.node()


def network_interface(monkeypatch):
    monkeypatch.setattr(NoopNetwork, "validate", crash)
    api = Api()
    api.enrol(driver_info=DRIVER_INFO)
    assert api("GET", "/v1/nodes/n/validate")[0] == 200


def validated(monkeypatch):
    monkeypatch.setattr(validation.steps, "check_deployment", crash)
    api = Api()
    api.enrol(driver_info=DRIVER_INFO)
    assert api("GET", "/v1/nodes/n/validate")[0] == 200


def periodic_task(monkeypatch):
    monkeypatch.setattr(power_sync, "look", crash)
    api = Api(hardware_types=tuple(TYPES), interfaces={})
    api.enrol(driver="redfish", driver_info={**DRIVER_INFO, "redfish_address": "a"})
    api.provision("manage")
    api.clock.advance(121)
    api.node()


def allocation(monkeypatch):
    monkeypatch.setattr(allocations, "_filters", crash)
    api = Api()
    assert api("POST", "/v1/allocations", {"name": "a", "resource_class": "x"})[0] == 201


def outgoing_call(monkeypatch):
    monkeypatch.setattr(http_agent, "build_opener", crash)
    api = Api(agent="external", agent_tls=False)
    api.enrol(driver_info=DRIVER_INFO, deploy_interface="direct")
    api.provision("manage")
    step = {"step": "wipe", "interface": "deploy"}
    assert api.provision("clean", clean_steps=[step]) == (202, None)
    uuid = api.node()["uuid"]
    body = {"callback_url": "http://192.0.2.1:9999", "agent_version": "11.0.0"}
    status, told = api("GET", f"/v1/lookup?node_uuid={uuid}")
    assert status == 200
    body["agent_token"] = told["config"]["agent_token"]
    assert api("POST", f"/v1/heartbeat/{uuid}", body)[0] == 202
    api.node()


def server_of_nova(monkeypatch):
    cloud = Cloud()
    cloud.node()
    cloud.app.control.delays.set(default=60)
    cloud.boot(cloud.flavor(), cloud.volume())
    monkeypatch.setattr(manager, "_look_at_node", crash)
    cloud.servers()


def request(monkeypatch):
    monkeypatch.setattr(NODES, "create", crash)
    values = {"driver": "fake-hardware", "driver_info": DRIVER_INFO}
    with FakeServer(Settings()) as server:
        assert requests.post(f"{server.url}/v1/nodes", json=values, timeout=10).status_code == 500


def listener(monkeypatch):
    monkeypatch.setattr(gateway, "answer", crash)
    with FakeServer(Settings()) as server:
        assert requests.get(server.url, timeout=10).status_code == 500


#: What has an exception logged, by the functions that log one.
PLACES = {
    ("baremetal/conductor/work.py", "contained"): work,
    ("baremetal/drivers/networks/plugin.py", "_call"): network_interface,
    ("baremetal/conductor/validation.py", "_result"): validated,
    ("baremetal/conductor/due/power_sync.py", "act"): periodic_task,
    ("baremetal/conductor/allocations.py", "allocate"): allocation,
    ("common/outgoing_calls.py", "make"): outgoing_call,
    ("compute/manager.py", "go_on"): server_of_nova,
    ("middleware/chain.py", "answer_errors"): request,
    ("httpd/listener.py", "_answer_now"): listener,
}


def modules_with(*words):
    for file in sorted(ROOT.rglob("*.py")):
        name, text = str(file.relative_to(ROOT)), file.read_text()
        if "tests" not in Path(name).parts and any(word in text for word in words):
            yield name, text


def functions_with(*words):
    for name, text in modules_with(*words):
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef):
                yield name, node


def calls(node):
    return [one for one in ast.walk(node) if isinstance(one, ast.Call)]


def test_all_places_that_log_an_exception_are_walked():
    found = {
        (file, function.name)
        for file, function in functions_with(".exception", "exc_info", "stack_info")
        for call in calls(function)
        if getattr(call.func, "attr", "") == "exception"
        or any(keyword.arg in ("exc_info", "stack_info") for keyword in call.keywords)
    }
    assert found == set(PLACES)


def test_all_loggers_hide_secrets():
    assert [name for name, _ in modules_with("getLogger")] == ["common/logs.py"]


@pytest.fixture
def log():
    """What is logged, as a formatter that knows nothing of secrets has it."""
    text = io.StringIO()
    handler = logging.StreamHandler(text)
    handler.setFormatter(logging.Formatter("%(message)s"))
    logging.getLogger().addHandler(handler)
    yield text
    logging.getLogger().removeHandler(handler)


@pytest.mark.parametrize("place", PLACES.values(), ids=lambda place: place.__name__)
def test_no_secret_is_in_the_log(monkeypatch, log, place):
    place(monkeypatch)
    text = log.getvalue()
    assert "ValueError: can't use ******" in text
    assert "at 192.0.2.7" in text
    assert "in crash" in text
    for secret in (SECRET, LOCAL, repr(SECRET)[1:-1]):
        assert secret not in text


def test_an_exception_hides_the_secrets_of_what_led_to_it(log):
    def first(secret):
        raise OSError(f"first {secret}")

    def second(password):
        try:
            first(f"{password}-1")
        except OSError as exc:
            raise ValueError(f"second {password}") from exc

    try:
        second("s3c")
    except ValueError:
        logger("fake_server.some").exception("It failed with password=s3c-2")
    text = log.getvalue()
    assert text.startswith("It failed with password=******\n")
    assert "OSError: first ******\n" in text
    assert "ValueError: second ******\n" in text
