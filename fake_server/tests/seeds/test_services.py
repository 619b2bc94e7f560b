"""Seeds of the services beside Ironic, of who uses them, and of the history of nodes."""

from __future__ import annotations

import json

import pytest
import requests
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
ATTACHMENT = "00000000-0000-4000-8000-0000000000a2"
LAB = {
    "projects": [{"name": "lab"}],
    "users": [{"name": "ann", "password": "pw", "projects": {"lab": ["member"]}}],
    "networks": [
        {"name": "provisioning", "subnets": [{"cidr": "10.9.0.0/24"}]},
        {
            "name": "tenant",
            "project_id": "lab",
            "tags": ["blue"],
            "provider:network_type": "vlan",
            "provider:physical_network": "physnet1",
            "subnets": [{"name": "v4", "cidr": "10.0.0.0/24"}, {"cidr": "fd00::/64"}],
            "ports": [
                {"name": "p{number}", "count": 2},
                {
                    "name": "vif",
                    "device_id": SERVER_ID,
                    "device_owner": "compute:nova",
                    "fixed_ips": [{"ip_address": "10.0.0.77"}],
                },
            ],
        },
    ],
    "trunks": [
        {
            "name": "trunk",
            "port_id": "p0",
            "sub_ports": [{"port_id": "p1", "segmentation_type": "vlan", "segmentation_id": 5}],
        }
    ],
    "network_quotas": [{"project_id": "lab", "port": 20, "trunk": -1}],
    "images": [{"name": "ubuntu", "disk_format": "qcow2", "owner": "lab"}],
    "volume_types": [{"name": "fast", "extra_specs": {"storage_protocol": "FC"}}],
    "volumes": [
        {
            "name": "boot",
            "size": 3,
            "project_id": "lab",
            "volume_type_id": "fast",
            "status": "in-use",
            "attachments": [{"id": ATTACHMENT, "instance_uuid": SERVER_ID, "attach_mode": "rw"}],
        }
    ],
    "flavors": [
        {"name": "gold", "ram": 1, "vcpus": 1, "disk": 1, "is_public": False, "projects": ["lab"]}
    ],
    "keypairs": [{"name": "key", "public_key": "ssh-rsa AAAAB3Nz ann@lab", "user_id": "ann"}],
    "nodes": [
        {
            "name": "node",
            "owner": "lab",
            "lessee": "demo",
            "provision_state": "active",
            "instance_uuid": SERVER_ID,
            "history": [
                {
                    "event": "Broken",
                    "severity": "ERROR",
                    "created_at": "2026-01-01T10:00:00+01:00",
                }
            ],
        }
    ],
    "servers": [
        {
            "id": SERVER_ID,
            "name": "web",
            "flavor": "gold",
            "project_id": "lab",
            "node_uuid": "node",
            "image_ref": "ubuntu",
            "block_devices": [{"volume_id": "boot", "attachment_id": ATTACHMENT}],
            "ports": [{"port_id": "vif"}],
            "launched_at": "2026-01-02T03:04:05Z",
        }
    ],
}


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


def test_tunnels_keep_their_numbers_unless_others_have_them():
    with FakeServer() as server:
        for name, numbers in (("a", (77, 78)), ("b", (77, 79))):
            segments = [{"network_type": "vxlan", "segmentation_id": one} for one in numbers]
            server.seed({"networks": [{"name": name, "segments": segments}]})
        listed = requests.get(f"{server.url}/networking/v2.0/segments", timeout=5).json()
    found = [one["segmentation_id"] for one in listed["segments"]]
    assert len(set(found)) == 4
    assert {77, 78, 79} < set(found)


def test_a_seeded_server_is_deleted_like_any_other():
    with FakeServer(seed=LAB) as server:
        url = f"{server.url}/compute/v2.1/servers/{SERVER_ID}"
        assert requests.delete(url, timeout=10).status_code == 204
        assert requests.get(url, timeout=10).status_code == 404
        headers = {"X-OpenStack-Ironic-API-Version": "1.115"}
        node = requests.get(f"{server.url}/v1/nodes/node", headers=headers, timeout=10).json()
        assert (node["provision_state"], node["instance_uuid"]) == ("available", None)
        (volume,) = requests.get(f"{server.url}/volume/v3/volumes/detail", timeout=10).json()[
            "volumes"
        ]
        assert volume["attachments"] == []


@pytest.mark.parametrize("auth", ["none", "keystone"])
@pytest.mark.parametrize("kind", databases.KINDS)
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


@pytest.mark.parametrize(
    ("seed", "place"),
    [
        ({"projects": [{}]}, "projects[0]: name is missing"),
        ({"users": [{"name": "u", "system": ["king"]}]}, "users[0]: needs its roles as lists"),
        ({"users": [{"name": "u", "password": 5}]}, "users[0].password: has to be text"),
        ({"networks": [{"mtu": "x"}]}, "networks[0].mtu: Invalid input"),
        ({"networks": [{"subnets": [{}]}]}, "networks[0].subnets[0]: cidr is missing"),
        (
            {"networks": [{"subnets": [{"cidr": "10.0.0.0/24", "gateway_ip": "fd00::1"}]}]},
            "networks[0].subnets[0]: ",
        ),
        (
            {"networks": [{"ports": [{"mac_address": "52:54:00:00:00:01"}] * 2}]},
            "networks[0].ports[1]: Unable to complete operation",
        ),
        ({"networks": [{"status": "x"}]}, "networks[0].status: unknown field"),
        ({"trunks": [{"port_id": "x"}]}, "trunks[0]: "),
        ({"network_quotas": [{"project_id": "p", "port": -2}]}, "network_quotas[0].port: has to"),
        ({"trunks": [{"port_id": "x", "sub_ports": [5]}]}, "trunks[0].sub_ports: has to be"),
        ({"volumes": [{}]}, "volumes[0]: size is missing"),
        ({"volumes": [{"size": "3"}]}, "volumes[0].size: has to be an integer"),
        (
            {"volumes": [{"size": 3, "bootable": None}]},
            "volumes[0].bootable: has to have a value, not null",
        ),
        ({"volumes": [{"size": 3, "volume_type_id": "x"}]}, "volumes[0].volume_type_id: there is"),
        ({"servers": [{"name": "s", "flavor": {}, "ports": [{}]}]}, "ports[0]: port_id is missing"),
        (
            {"volume_types": [{"name": "t"}, {"name": "t"}]},
            "volume_types[1]: name 't' is already in",
        ),
        ({"servers": [{"name": "s", "flavor": "x"}]}, "servers[0]: There is no flavor x"),
        ({"keypairs": [{"name": "k", "public_key": "x"}]}, "keypairs[0]: Keypair data is invalid"),
        ({"nodes": [{"history": [{}]}]}, "nodes[0].history[0]: event is missing"),
        ({"networks": [{"id": None}]}, "networks[0].id: has to be a UUID, not None"),
        ({"networks": [{"id": "x"}]}, "networks[0].id: has to be a UUID, not 'x'"),
        (
            {"nodes": [{"history": [{"event": "e", "created_at": "now"}]}]},
            "nodes[0].history[0].created_at: has to be a time",
        ),
    ],
)
def test_what_is_wrong_is_named_and_nothing_is_stored(seed, place):
    with FakeServer() as server:
        with pytest.raises(SeedError) as caught:
            server.seed({"images": [{"name": "i"}], "projects": [{"name": "p"}], **seed})
        assert place in str(caught.value)
        assert server.export_seed() == {}


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


@settings(max_examples=30, deadline=None)
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


@settings(max_examples=200, deadline=None)
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
