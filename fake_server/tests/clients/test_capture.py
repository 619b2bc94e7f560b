"""Seeds of what an Ironic shows of itself by its API."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import requests
import yaml

from fake_server import cloud_config
from fake_server.baremetal.conductor_hosts import ConductorHost
from fake_server.clients import capture as clients
from fake_server.server import FakeServer
from fake_server.settings import Settings
from fake_server.tests.baremetal.played_services import JsonHandler, played
from fake_server.tests.cli.running import run

LAB = yaml.safe_load(Path(__file__).parents[1].joinpath("seeds", "lab.yaml").read_text("utf-8"))


def capture(*words, **variables):
    return run("capture", *words, **variables)


@pytest.mark.parametrize("dialect", ["ironic", "spec"])
def test_what_is_captured_is_what_is_exported(dialect):
    with FakeServer(Settings(dialect=dialect), seed=LAB) as server:
        for path in ("", "/", "/v1", "/baremetal", "/baremetal/v1/"):
            done = capture(server.url + path)
            assert (done.returncode, done.stderr) == (0, "")
            assert yaml.safe_load(done.stdout) == server.export_seed()


def test_more_nodes_than_one_answer_has():
    many = {"name": "n{index}", "count": 600, "ports": [{"address": "52:54:00:{index:mac}"}]}
    with FakeServer(seed=LAB | {"nodes": [*LAB["nodes"], many]}) as server:
        done = capture(server.url, "--brief")
        wanted = server.export_seed()
    for kind in ("history", "bios", "firmware", "inventory"):
        del wanted["nodes"][0][kind]
    assert yaml.safe_load(done.stdout) == wanted


def test_secrets_are_left_out_and_told():
    secrets = {"ipmi_password": "s3cret", "ipmi_address": "10.0.0.1", "deep": {"password": "p"}}
    target = {"volume_type": "iscsi", "volume_id": "v", "boot_index": 0}
    target["properties"] = {"auth_password": "s3cret", "target_lun": 1}
    other = {**target, "boot_index": 1, "properties": {"auth_password": "s3cret"}}
    node = {"name": "n", "driver_info": secrets, "volume_targets": [target, other]}
    step = {"interface": "bios", "step": "b", "args": {"password": "s3cret"}, "priority": 5}
    template = {"name": "CUSTOM_T", "steps": [step]}
    with FakeServer(seed={"nodes": [node], "deploy_templates": [template]}) as server:
        done = capture(server.url)
        assert "s3cret" in json.dumps(server.export_seed())
    assert "s3cret" not in done.stdout + done.stderr
    assert "***" not in done.stdout + done.stderr
    (captured,) = yaml.safe_load(done.stdout)["nodes"]
    assert captured["driver_info"] == {"ipmi_address": "10.0.0.1", "deep": {}}
    assert captured["volume_targets"][0]["properties"] == {"target_lun": 1}
    # As in an export, there is nothing empty.
    assert "properties" not in captured["volume_targets"][1]
    assert "n: driver_info.ipmi_password is left out, because it is secret" in done.stderr
    assert "CUSTOM_T: steps.args.password is left out, because it is secret" in done.stderr
    assert "n: driver_info.deep.password is left out, because it is secret" in done.stderr
    assert "properties.auth_password is left out, because it is secret" in done.stderr


def test_with_a_token():
    with FakeServer(Settings(auth="keystone"), seed={"nodes": [{"name": "n"}]}) as server:
        user = {"name": "admin", "domain": {"id": "default"}, "password": "secret"}
        identity = {"methods": ["password"], "password": {"user": user}}
        body = {"auth": {"identity": identity, "scope": {"system": {"all": True}}}}
        answer = requests.post(f"{server.url}/identity/v3/auth/tokens", json=body, timeout=10)
        token = answer.headers["X-Subject-Token"]
        assert "name: n" in capture(server.url, "--token", token).stdout
        assert "name: n" in capture(server.url, OS_TOKEN=token).stdout
        refused = capture(server.url)
        assert refused.returncode == 1
        assert "Give a token, or a user name and password" in refused.stderr


def test_where_no_ironic_is():
    with FakeServer() as server:
        url = server.url
        done = capture(f"{url}/nowhere")
        assert (done.returncode, done.stdout) == (1, "")
        assert f"No Ironic found at {url}/nowhere/v1." in done.stderr
        server.faults.add({"path": "/v1/ports*"}, {"status": 500, "message": "Gone."})
        done = capture(url)
        assert done.returncode == 1
        assert "responded with 500" in done.stderr
    done = capture(url)
    assert done.returncode == 1
    assert f"No response from {url}" in done.stderr
    assert "Traceback" not in done.stderr


class NoObjects(JsonHandler):
    """Answers with the versions of an Ironic and with lists."""

    def get(self):
        headers = {"X-OpenStack-Ironic-API-Version": "1.115"}
        self.answer([1] if "conductors" in self.path else {}, **headers)

    post = get


def test_answers_that_are_no_objects_end_it():
    with played(NoObjects) as server:
        done = capture(f"http://127.0.0.1:{server.server_port}")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("baremetal-fake-server: The response of http://127.0.0.1:")
    assert done.stderr.endswith(" is not a JSON object.\n")
    assert "Traceback" not in done.stderr


def test_a_cloud_of_clouds_yaml_or_of_the_environment(tmp_path):
    settings = Settings(auth="keystone")
    with FakeServer(settings, seed={"nodes": [{"name": "n"}]}) as server:
        variables = cloud_config.environment(server.url, settings, tmp_path)
        assert "name: n" in capture(**variables).stdout
        config = {"OS_CLIENT_CONFIG_FILE": variables["OS_CLIENT_CONFIG_FILE"]}
        assert "name: n" in capture("--os-cloud", "fake-system", **config).stdout
        assert "name: n" in capture(OS_CLOUD="fake-system", **config).stdout
        assert "name: n" in capture(server.url, "--os-cloud", "fake-system", **config).stdout
        unknown = capture("--os-cloud", "nowhere", **config)
        assert (unknown.returncode, unknown.stdout) == (1, "")
        assert "Can't connect to the cloud: " in unknown.stderr
        wrong = capture(**variables | {"OS_PASSWORD": "wrong"})
        assert wrong.returncode == 1
        assert "Can't connect to the cloud: " in wrong.stderr
        assert "Traceback" not in unknown.stderr + wrong.stderr


class Other:
    """An Ironic with drivers that the fake server hasn't."""

    nodes = (
        {"driver": "ilo", "boot_interface": "ilo-virtual-media"},
        {"driver": "redfish", "boot_interface": "redfish-virtual-media"},
        {"driver": "ipmi", "conductor_group": "rack1", "network_interface": "neutron"},
    )

    def everything(self, path, **_query):
        if path == "nodes/detail":
            for number, node in enumerate(self.nodes):
                uuid = f"00000000-0000-4000-8000-{number:012}"
                yield {"uuid": uuid, "name": f"n{number}", **node}

    def one(self, path):
        if path.startswith("conductors"):
            hosts = {"a": "", "b": "rack1"}
            shown = [{"hostname": name, "conductor_group": hosts[name]} for name in hosts]
            return {"conductors": shown}
        if path == "drivers":
            hosts = {"ilo": ["a", "b"], "ipmi": ["b"], "redfish": ["a"]}
            return {"drivers": [{"name": name, "hosts": hosts[name]} for name in hosts]}
        return {}

    def knows(self, _minor):
        return True


@pytest.mark.parametrize("keep", [False, True])
def test_drivers_and_conductor_groups_are_kept(keep):
    captured = clients.capture(Other(), keep_drivers=keep)
    shown = captured.seed["nodes"]
    assert shown[0]["driver"] == ("ilo" if keep else "fake-hardware")
    assert shown[0].get("boot_interface") == ("ilo-virtual-media" if keep else None)
    assert (shown[1]["driver"], shown[1]["boot_interface"]) == ("redfish", "redfish-virtual-media")
    assert (shown[2]["driver"], shown[2]["conductor_group"]) == ("ipmi", "rack1")
    told = "n0: the driver is fake-hardware instead of ilo."
    assert (told in captured.notes) is not keep
    assert "the fake server needs --conductors a:,b:rack1." in captured.needs
    (options,) = [note for note in captured.needs if "network" in note]
    assert options.startswith("the fake server needs --enabled-network-interfaces ")
    assert options.endswith(",neutron.")


def test_conductors_have_the_hardware_types_that_the_fake_server_knows():
    assert clients.conductors(Other()) == (
        ConductorHost("a", "", ("redfish",)),
        ConductorHost("b", "rack1", ("ipmi",)),
    )
