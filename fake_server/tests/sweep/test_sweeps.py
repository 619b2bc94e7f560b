"""What a sweep records, chooses, compares and stores."""

from __future__ import annotations

import itertools
import json
import uuid
from xml.etree import ElementTree as ET

import pytest
import requests

from fake_server.server import FakeServer
from fake_server.settings import Settings
from fake_server.sweep import UnsweepableError, sweep
from fake_server.sweep.addresses import route
from fake_server.sweep.kinds import KINDS
from fake_server.sweep.results import Results
from fake_server.tests.sweep.programs import NODE, Client

_SECOND = "11111111-2222-4333-8444-555555555555"


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/v1/nodes", ("/v1/nodes", None)),
        ("/v1/nodes/detail", ("/v1/nodes/detail", None)),
        ("/baremetal/v1/nodes/power/states/power", ("/v1/nodes/_/states/power", "power")),
        (f"/v1/nodes/n/vifs/{_SECOND}", ("/v1/nodes/_/vifs/_", "n")),
        ("/v1/nodes/n/traits/CUSTOM_A", ("/v1/nodes/_/traits/_", "n")),
        (f"/v1/volume/targets/{_SECOND}", ("/v1/volume/targets/_", _SECOND)),
        ("/v1", ("/v1", None)),
        ("/", ("/", None)),
        (f"/networking/v2.0/ports/{_SECOND}", ("/networking/v2.0/ports/_", _SECOND)),
        ("/networking/v2.0/ports", ("/networking/v2.0/ports", None)),
        (f"/volume/v3/volumes/{_SECOND}", ("/volume/v3/volumes/_", _SECOND)),
        (
            f"/volume/v3/{'a' * 32}/volumes/{_SECOND}/action",
            ("/volume/v3/volumes/_/action", _SECOND),
        ),
        (f"/compute/v2.1/servers/{_SECOND}", ("/compute/v2.1/servers/_", _SECOND)),
        ("/object-store/v1/AUTH_a/c/d/e", ("/object-store/v1/_/_/_", "AUTH_a")),
        ("/identity/v3/auth/tokens", ("/identity/v3/auth/tokens", None)),
        ("/nowhere/at/all", ("/nowhere/_/_", "at")),
    ],
)
def test_a_route_has_no_names(path, expected):
    assert route(path) == expected


def test_ids_are_the_same_whatever_the_uuids_are():
    def program(server):
        client = Client(server)
        node = client("POST", "nodes", NODE).json()
        client("PATCH", f"nodes/{node['uuid']}", [])
        client("PATCH", "nodes/rack1", [])
        other = client("POST", "nodes", {"driver": "fake-hardware"}).json()
        client("GET", f"nodes/{other['uuid']}")

    found = sweep(program, kinds=["error"], limit=1)
    assert [call.id for call in found.requests] == [
        "POST/v1/nodes.1",
        "PATCH/v1/nodes/_@rack1.1",
        "PATCH/v1/nodes/_@rack1.2",
        "POST/v1/nodes.2",
        "GET/v1/nodes/_@unnamed-1.1",
    ]


def test_what_varies_by_itself_is_told_and_not_compared():
    numbers = itertools.count()

    def program(server):
        client = Client(server)
        name = f"rack-{next(numbers)}"
        client("POST", "nodes", {**NODE, "name": name, "extra": {"id": str(uuid.uuid4())}})

    found = sweep(program, kinds=["unavailable", "error"])
    assert {"nodes.name", "nodes.extra/id"} <= set(found.varies)
    assert {case.verdict for case in found.cases} == {"survived"}


def test_addresses_count_only_if_the_program_chose_them():
    calls = itertools.count()

    def program(server):
        client = Client(server)
        client("POST", "nodes", NODE)
        uuid = client("GET", "nodes/rack1").json()["uuid"]
        address = "52:54:00:00:00:01" if next(calls) < 2 else "52:54:00:00:00:02"
        client("POST", "ports", {"node_uuid": uuid, "address": address})
        # This one is Neutron's.
        client("POST", "../networking/v2.0/networks", {"network": {"name": "net"}})

    found = sweep(program, kinds=["unavailable"], routes=["GET /v1/nodes/{}"])
    ((difference,),) = [case.difference for case in found.cases]
    assert difference.path == "ports/rack1/address"


def test_what_a_program_chose_before_it_failed_counts_after_it_ran_again():
    def program(server):
        client = Client(server, again=())
        if client.node() is None:
            client("POST", "nodes", NODE)
            uuid = client.node()["uuid"]
            client("POST", "ports", {"node_uuid": uuid, "address": "52:54:00:00:00:01"})
        assert client("GET", "ports").status_code == 200

    (case,) = sweep(program, kinds=["error"], routes=["GET /v1/ports"]).cases
    assert (case.verdict, case.difference) == ("said-so", [])


def test_all_services_are_compared():
    def program(server):
        client = Client(server, again=())
        base = "../networking/v2.0"
        client("POST", f"{base}/networks", {"network": {"name": "net"}}, tries=1)

    (case,) = sweep(program, kinds=["error"], routes=["POST /networking/*"]).cases
    assert case.verdict == "lied"
    assert {one.path for one in case.difference} >= {"networking_networks/net"}


def test_a_fault_that_is_not_reached_is_no_success():
    calls = itertools.count()

    def program(server):
        client = Client(server)
        client("GET", "nodes")
        if next(calls) < 2:
            client("GET", "drivers")

    verdicts = {case.request: case.verdict for case in sweep(program, kinds=["error"]).cases}
    assert verdicts == {"GET/v1/nodes.1": "survived", "GET/v1/drivers.1": "not-reached"}


def test_a_node_is_locked_for_a_while_of_simulated_time():
    def program(server):
        client = Client(server, again=())
        client("POST", "nodes", NODE)
        began = server.clock.seconds()
        while client("PUT", "nodes/rack1/maintenance", {}).status_code == 409:
            assert server.clock.seconds() - began <= 30

    cases = sweep(program, kinds=["locked-long"]).cases
    assert [(case.verdict, case.simulated_seconds) for case in cases] == [("survived", 30)]


def test_each_kind_applies_to_something():
    def program(server):
        client = Client(server)
        client("GET", "nodes")
        client("POST", "nodes", NODE)
        client("PUT", "nodes/rack1/states/provision", {"target": "manage"})
        client("PUT", "nodes/rack1/states/provision", {"target": "inspect"})
        client.wait("manageable")

    from fake_server.baremetal.conductor_hosts import ConductorHost
    from fake_server.settings import Settings

    hosts = (ConductorHost("one"), ConductorHost("two"))
    with FakeServer(Settings(conductors=hosts), clock="auto") as server:
        found = sweep(program, server=server, kinds=KINDS.keys() - {"slow"})
    others = {"token-expired", "slow", "no-heartbeat"}
    assert {case.kind for case in found.cases} == KINDS.keys() - others
    assert all(case.verdict != "not-reached" for case in found.cases)


def test_a_token_expires_where_there_is_one():
    from fake_server.settings import Settings

    def program(server):
        session = requests.Session()
        session.mount("http://127.0.0.1", server.adapter())
        user = {"name": "admin", "domain": {"id": "default"}, "password": "secret"}
        identity = {"methods": ["password"], "password": {"user": user}}
        body = {"auth": {"identity": identity, "scope": {"system": {"all": True}}}}
        base = "http://127.0.0.1"
        for _ in range(2):
            token = session.post(f"{base}/identity/v3/auth/tokens", json=body).headers
            headers = {"X-Auth-Token": token["X-Subject-Token"]}
            if session.get(f"{base}/v1/nodes", headers=headers).status_code == 200:
                return
        raise RuntimeError("no list")

    with FakeServer(Settings(auth="keystone"), clock="auto") as server:
        found = sweep(program, server=server, kinds=["token-expired"])
    assert [(case.request, case.verdict) for case in found.cases] == [
        ("GET/v1/nodes.1", "survived"),
    ]


def test_a_slow_answer_is_held_back_in_real_time():
    def program(server):
        Client(server)("GET", "nodes")

    (case,) = sweep(program, kinds=["slow"], timeout=1).cases
    assert (case.verdict, case.seconds >= 0.5) == ("survived", True)


def test_a_limit_takes_all_kinds_in_turn_and_the_seed_chooses():
    def program(server):
        client = Client(server)
        for _ in range(10):
            client("GET", "nodes")

    chosen = [
        [case.id for case in sweep(program, kinds=["error", "refused"], limit=4, seed=seed).cases]
        for seed in (1, 1, 2)
    ]
    assert chosen[0] == chosen[1] != chosen[2]
    kinds = sorted(one.partition(":")[2] for one in chosen[0])
    assert kinds == ["error", "error", "refused", "refused"]


def test_the_server_has_its_state_again_afterwards():
    with FakeServer(clock="auto", seed={"nodes": [{"name": "kept"}]}) as server:
        began = server.clock.seconds()

        def program(server):
            assert (server.clock.mode, server.delays.show()["default"]) == ("auto", 0)
            server.delays.set(default=5)
            server.clock.switch("manual")
            Client(server)("DELETE", "nodes/kept")

        sweep(program, server=server, kinds=["killed"])
        assert "kept" in server.nodes
        assert (server.clock.mode, server.clock.seconds()) == ("auto", began)
        assert server.delays.show()["default"] == 0
        assert not server.faults.rules()


@pytest.mark.parametrize(
    ("program", "sentence"),
    [
        (lambda server: None, "never called the server"),
        (lambda server: 1 / 0, "ZeroDivisionError"),
    ],
)
def test_what_can_not_be_swept(program, sentence):
    with pytest.raises(UnsweepableError, match=sentence):
        sweep(program)


def test_an_unknown_kind_is_refused():
    with pytest.raises(ValueError, match=r"'lost'.*lost-answer"):
        sweep(lambda server: None, kinds=["lost"])


def test_results_are_stored_and_read_back(tmp_path):
    from fake_server.sweep import junit, page

    def program(server):
        client = Client(server, again=())
        client("POST", "nodes", {**NODE, "description": "</script>"}, tries=1)

    found = sweep(program, kinds=["error", "refused"])
    file = tmp_path / "sweep.json"
    file.write_text(json.dumps(found.as_json()))
    assert Results.read(file, found.command).as_json() == found.as_json()
    suite = ET.fromstring(junit.text(found, ("survived",)))
    assert suite.attrib["failures"] == "2"
    shown = page.text(found, {})
    assert shown.count("</script>") == 2


def test_a_killed_program_gets_no_answer():
    answers = []

    def program(server):
        session = requests.Session()
        session.mount("http://127.0.0.1", server.adapter())
        for name in ("a", "b"):
            try:
                body = {"name": name, "driver": "fake-hardware"}
                session.post("http://127.0.0.1/v1/nodes", json=body)
            except requests.ConnectionError:
                answers.append(name)

    sweep(program, kinds=["killed"], limit=1)
    assert len(answers) <= 1


@pytest.mark.parametrize(("gives_up", "verdict"), [(True, "said-so"), (False, "lied")])
def test_an_agent_that_never_calls(gives_up, verdict):
    """Ironic's ``deploy_callback_timeout`` is 1800 s; then the deployment has failed."""

    def program(server):
        client = Client(server)
        if client.node()["provision_state"] in ("available", "deploy failed"):
            client("PUT", "nodes/rack1/states/provision", {"target": "active"})
        for _ in range(20):
            node = client.node()
            if node["provision_state"] in ("active", "deploy failed"):
                break
        if gives_up and node["provision_state"] != "active":
            raise RuntimeError("not deployed")

    node = {
        **NODE,
        "provision_state": "available",
        "deploy_interface": "direct",
        "instance_info": {"image_source": "http://192.0.2.1/i.raw", "image_checksum": "a" * 32},
        "ports": [{"address": "52:54:00:00:00:01"}],
    }
    seed = {"nodes": [node]}
    settings = Settings(interfaces={"deploy": ("direct", "fake")})
    with FakeServer(settings, clock="auto", seed=seed) as server:
        found = sweep(program, server=server, kinds=["no-heartbeat"])
    assert [(case.id, case.verdict) for case in found.cases] == [
        ("PUT/v1/nodes/_/states/provision@rack1.1:no-heartbeat", verdict)
    ]
    assert found.cases[0].simulated_seconds >= 1800


def test_where_no_agent_is_booted_none_can_be_missing():
    def program(server):
        Client(server)("PUT", "nodes/rack1/states/provision", {"target": "active"})

    seed = {"nodes": [{**NODE, "provision_state": "available", "deploy_interface": "fake"}]}
    with (
        FakeServer(clock="auto", seed=seed) as server,
        pytest.raises(UnsweepableError, match="None of these kinds of faults can happen"),
    ):
        sweep(program, server=server, kinds=["no-heartbeat"])
