"""Seeds of the services beside Ironic, of who uses them, and of the history of nodes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml
from hypothesis import given
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
uuids = st.uuids().map(str)


def unique(strategy, key="name"):
    return st.lists(strategy, max_size=3, unique_by=lambda item: item[key])


@pytest.fixture(scope="module")
def empty():
    server = FakeServer()
    yield server
    server.stop()


#: What is in no seed, or stored with what is.
ELSEWHERE = {
    **{
        f"block_storage_{name}": "A seed has volumes and their types; the rest is asked of Cinder."
        for name in ("backups", "projects", "qos_specs", "snapshots", "transfers", "type_access")
    },
    **{
        f"compute_{name}": "A seed has servers; the rest is asked of Nova."
        for name in ("actions", "aggregates", "quotas", "server_groups", "services")
    },
    "conductors_down": "They come back.",
    "node_states": "When nodes were in which state; a seed says in which one they are.",
    "identity_application_credentials": "Their secrets are digests, their owners get new ids.",
    "identity_access_rules": "Application credentials have them.",
    "identity_assignments": "In users.",
    "identity_tokens": "They end.",
    **{
        f"identity_{name}": "A seed has projects and users; the rest is asked of Keystone."
        for name in (
            *("credentials", "endpoints", "groups", "implications", "limits", "memberships"),
            *("regions", "registered_limits", "roles", "services", "trusts"),
        )
    },
    **{
        f"object_storage_{name}": "A seed holds no files."
        for name in ("accounts", "containers", "objects")
    },
    "due_work": "What is in the middle of something isn't in a seed.",
    "image_contents": "A seed holds no files.",
    **{
        f"image_{name}": "A seed has images; the rest is asked of Glance."
        for name in ("definitions", "namespaces", "resource_types")
    },
    "image_tasks": "A seed says what images are, not how they were filled.",
    "image_members": "A seed has images of its projects and public ones.",
    "machines": "In nodes.",
    "networking_allocations": "In ports.",
    "networking_policies": "QoS and who may use what is set by requests.",
    "networking_rbac_policies": "QoS and who may use what is set by requests.",
    "node_inventory": "In nodes.",
    **{
        f"object_storage_{name}": "A seed holds no files."
        for name in ("accounts", "containers", "objects")
    },
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


@pytest.mark.parametrize("factor", ["Z", True, float("inf"), []])
def test_a_fraction_has_to_be_a_number(empty, factor):
    empty.reset()
    flavor = {"name": "f", "ram": 1, "vcpus": 1, "disk": 1}
    empty.seed({"flavors": [{**flavor, "rxtx_factor": 1.5}]})
    with pytest.raises(SeedError, match=r"flavors\[0\]\.rxtx_factor: has to be a number"):
        empty.seed({"flavors": [{**flavor, "name": "g", "rxtx_factor": factor}]})


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
