"""Seeds of the services beside Ironic, of who uses them, and of the history of nodes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import requests
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from fake_server.control.tables import OF_CONTROLS
from fake_server.db.schema import metadata
from fake_server.seeds import schema, services
from fake_server.seeds.parsing import SeedError
from fake_server.server import FakeServer
from fake_server.settings import Settings
from fake_server.tests import databases

SERVER_ID = "00000000-0000-4000-8000-0000000000a1"
LAB = yaml.safe_load(Path(__file__).with_name("cloud.yaml").read_text("utf-8"))


@pytest.fixture
def cloud():
    with FakeServer(Settings(auth="keystone"), seed=LAB) as server:
        yield server


def as_user(server, path, *, name="ann", password="pw", project="lab"):
    """Return what a user is shown at a path."""
    domain = {"id": "default"}
    user = {"name": name, "domain": domain, "password": password}
    scope = {"project": {"name": project, "domain": domain}}
    identity = {"methods": ["password"], "password": {"user": user}}
    body = {"auth": {"identity": identity, "scope": scope}}
    answer = requests.post(f"{server.url}/identity/v3/auth/tokens", json=body, timeout=10)
    assert answer.status_code == 201, answer.text
    headers = {
        "X-Auth-Token": answer.headers["X-Subject-Token"],
        "X-OpenStack-Ironic-API-Version": "1.115",
        "OpenStack-API-Version": "compute 2.2",
    }
    answer = requests.get(server.url + path, headers=headers, timeout=10)
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_users_see_what_is_their_projects(cloud):
    (node,) = as_user(cloud, "/v1/nodes/detail")["nodes"]
    project = node["owner"]
    assert node["name"] == "node"
    assert node["lessee"] not in (project, "demo")
    (network,) = [
        one
        for one in as_user(cloud, "/networking/v2.0/networks")["networks"]
        if one["project_id"] == project
    ]
    assert (network["name"], network["tags"]) == ("tenant", ["blue"])
    (volume,) = as_user(cloud, "/volume/v3/volumes/detail")["volumes"]
    assert (volume["name"], volume["volume_type"], volume["status"]) == ("boot", "fast", "in-use")
    assert volume["attachments"][0]["server_id"] == SERVER_ID
    (image,) = as_user(cloud, "/image/v2/images")["images"]
    assert (image["name"], image["status"], image["owner"]) == ("ubuntu", "active", project)
    assert "gold" in str(as_user(cloud, "/compute/v2.1/flavors"))
    (pair,) = as_user(cloud, "/compute/v2.1/os-keypairs")["keypairs"]
    assert (pair["keypair"]["name"], pair["keypair"]["type"]) == ("key", "ssh")
    (server,) = as_user(cloud, "/compute/v2.1/servers/detail")["servers"]
    assert (server["name"], server["status"], server["image"]["id"]) == (
        "web",
        "ACTIVE",
        image["id"],
    )
    assert "10.0.0.77" in str(server["addresses"])
    assert server["OS-SRV-USG:launched_at"] == "2026-01-02T03:04:05.000000"
    # And nobody else's, nor do others see theirs.
    other = {"name": "other-member", "password": "secret", "project": "other"}
    for path, key in (
        ("/v1/nodes", "nodes"),
        ("/volume/v3/volumes", "volumes"),
        ("/compute/v2.1/servers", "servers"),
        ("/networking/v2.0/ports", "ports"),
    ):
        assert as_user(cloud, path, **other)[key] == []


def test_networks_are_as_if_they_had_been_created(cloud):
    ports = as_user(cloud, "/networking/v2.0/ports")["ports"]
    addresses = {port["name"]: port["fixed_ips"][0]["ip_address"] for port in ports}
    assert addresses == {"p0": "10.0.0.2", "p1": "10.0.0.3", "vif": "10.0.0.77"}
    (trunk,) = as_user(cloud, "/networking/v2.0/trunks", name="admin", password="secret",
                       project="admin")["trunks"]  # fmt: skip
    quota = as_user(cloud, f"/networking/v2.0/quotas/{ports[0]['project_id']}")["quota"]
    assert (quota["port"], quota["trunk"], quota["network"]) == (20, -1, 100)
    ids = {port["name"]: port["id"] for port in ports}
    assert (trunk["port_id"], trunk["sub_ports"][0]["port_id"]) == (ids["p0"], ids["p1"])


@pytest.mark.parametrize("auth", ["none", "keystone"])
@pytest.mark.parametrize("kind", databases.params())
def test_what_is_exported_makes_the_same_cloud(kind, auth):
    server = FakeServer(Settings(auth=auth), seed=LAB, db=databases.new(kind))
    exported = json.loads(json.dumps(server.export_seed()))
    server.stop()
    assert set(exported) == set(LAB)
    other = FakeServer(Settings(auth=auth), db=databases.new(kind))
    assert other.export_seed() == {}
    other.seed(exported)
    assert other.export_seed() == exported
    other.reset()
    assert other.export_seed() == {}
    other.stop()


names = st.text("abc-Z", min_size=1, max_size=8)
objects = st.dictionaries(names, names, max_size=2)
uuids = st.uuids().map(str)


def unique(strategy, key="name"):
    return st.lists(strategy, max_size=3, unique_by=lambda item: item[key])


CLOUDS = st.fixed_dictionaries(
    {
        "networks": unique(
            st.fixed_dictionaries(
                {"name": names, "ports": st.just([{"count": 2, "tags": ["a"]}])},
                optional={
                    "id": uuids,
                    "shared": st.booleans(),
                    "mtu": st.integers(500, 1450),
                    "description": names,
                    "subnets": st.just([{"cidr": "192.0.2.0/28", "enable_dhcp": False}]),
                    "segments": st.just([{"network_type": "vlan", "physical_network": "net"}]),
                },
            )
        ),
        "images": unique(st.fixed_dictionaries({"name": names, "properties": objects})),
        "volumes": unique(
            st.fixed_dictionaries(
                {"name": names, "size": st.integers(1, 9), "metadata": objects},
                optional={"multiattach": st.booleans(), "image_metadata": objects},
            )
        ),
        "flavors": unique(
            st.fixed_dictionaries(
                {"name": names, "extra_specs": objects},
                optional={"is_public": st.booleans(), "projects": st.lists(names, max_size=2)},
            ).map(lambda one: one | {"ram": 1, "vcpus": 1, "disk": 0})
        ),
        "servers": unique(
            st.fixed_dictionaries(
                {"name": names, "flavor": objects, "metadata": objects},
                optional={"tags": st.lists(names), "description": names, "node_uuid": uuids},
            )
        ),
        "users": unique(
            st.fixed_dictionaries(
                {"name": names},
                optional={
                    "projects": st.dictionaries(names, st.just(["member"]), max_size=2),
                    "system": st.just(["reader"]),
                },
            )
        ),
    }
)


@pytest.fixture(scope="module")
def empty():
    server = FakeServer()
    yield server
    server.stop()


@settings(max_examples=15, deadline=None)
@given(seed=CLOUDS)
def test_any_cloud_is_exported_as_it_is(empty, seed):
    empty.reset()
    empty.seed(seed)
    exported = empty.export_seed()
    for kind, entries in seed.items():
        assert [one["name"] for one in exported.get(kind, [])] == sorted(
            (one["name"] for one in entries), key=None if kind == "users" else lambda _: 0
        )
    empty.reset()
    empty.seed(json.loads(json.dumps(exported)))
    assert empty.export_seed() == exported


#: What is in no seed, or stored with what is.
ELSEWHERE = {
    "conductors_down": "They come back.",
    "identity_application_credentials": "Their secrets are digests, their owners get new ids.",
    "identity_assignments": "In users.",
    "identity_tokens": "They end.",
    "machines": "In nodes.",
    "networking_allocations": "In ports.",
    "networking_security_group_rules": "Nothing is filtered by them.",
    "networking_security_groups": "Projects and ports get default ones again.",
    "node_inventory": "In nodes.",
    "node_traits": "In nodes.",
    "runbook_traits": "In runbooks.",
}


def test_every_table_is_in_seeds_or_left_out_on_purpose():
    kinds = [*schema.LISTS, *services.LISTS]
    for kind in kinds:
        kinds += kind.children
    tables = {
        name
        for name, table in metadata.tables.items()
        if not name.startswith(("kept_", "placement_")) and name not in OF_CONTROLS
    }
    assert tables - {kind.table.name for kind in kinds} == set(ELSEWHERE)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**12), 10**12) | st.sampled_from(["", "a", "4"]),
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.dictionaries(st.sampled_from(["a", "port_id"]), inner, max_size=2)
    ),
    max_leaves=3,
)


VALID = {"cidr": "192.0.2.0/24", "network_type": "vxlan", "id": SERVER_ID, "flavor": {}}


def anything(kind):
    """Return entries of a kind, with any values of a few fields."""
    required = {
        name: st.just(VALID.get(name, 5 if name in ("size", "ram", "vcpus", "disk") else "p0"))
        for name in kind.required
    }
    others = dict.fromkeys(sorted({*kind.fields} - {*required}), VALUES | names | uuids)
    others |= {child.key: st.lists(anything(child), max_size=2) for child in kind.children}
    chosen = st.lists(st.sampled_from(list(others)), max_size=3, unique=True)
    return chosen.flatmap(
        lambda found: st.fixed_dictionaries(required | {name: others[name] for name in found})
    )


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(services.LISTS).flatmap(
    lambda kind: st.lists(anything(kind), min_size=1, max_size=2).map(lambda one: {kind.key: one})
))  # fmt: skip
def test_any_seed_is_taken_or_refused(empty, seed):
    empty.reset()
    try:
        empty.seed(seed)
    except SeedError:
        assert empty.export_seed() == {}
    else:
        empty.export_seed()
