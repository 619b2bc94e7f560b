"""Whatever Nova and Placement are asked, nothing fails.

``FAKE_SERVER_EXAMPLES`` says how many requests are tried (default: 300).
"""

from __future__ import annotations

import json
import os
from io import BytesIO

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fake_server.app import Application
from fake_server.common.wsgi import Request

SERVER = "8b6a6b0e-0b2d-4d7c-9b8b-6f9c0a5c1d11"
NOVA = [
    "servers",
    "detail",
    "action",
    "flavors",
    "os-extra_specs",
    "os-flavor-access",
    "os-keypairs",
    "os-volume_attachments",
    "os-interface",
    "os-services",
    "os-hypervisors",
    "os-availability-zone",
    "limits",
    "metadata",
    "ips",
]
PLACEMENT = [
    "resource_providers",
    "inventories",
    "traits",
    "aggregates",
    "usages",
    "allocations",
    "allocation_candidates",
    "resource_classes",
]
ODD = ["", " ", "\x00", "é", "%", "a" * 300, "1e999", "-1", "0", "true", SERVER, "VCPU", "CUSTOM_A"]
KEYS = [
    *("server", "name", "flavorRef", "imageRef", "networks", "uuid", "port", "min_count"),
    *("block_device_mapping_v2", "source_type", "boot_index", "attach_mode", "flavor", "ram"),
    *("vcpus", "disk", "volumeAttachment", "volumeId", "interfaceAttachment", "extra_specs"),
    *("keypair", "public_key", "reboot", "type", "rebuild", "os-start", "os-stop", "metadata"),
    *("inventories", "total", "resource_class", "resource_provider_generation", "traits"),
    *("allocations", "resources", "project_id", "user_id", "consumer_generation"),
]
QUERY = [
    *("limit", "marker", "name", "status", "sort_key", "all_tenants", "resources", "required"),
    *("member_of", "in_tree", "group_policy", "resources1", "project_id", "user_id", "minRam"),
]
values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**70), 2**70)
    | st.sampled_from([*NOVA, *PLACEMENT, *ODD, "volume", "auto", "ro", "HARD"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from([*KEYS, *ODD]), inner, max_size=4)
    ),
    max_leaves=8,
)
bodies = st.none() | values.map(lambda value: json.dumps(value).encode()) | st.binary(max_size=20)
queries = st.lists(
    st.tuples(
        st.sampled_from(QUERY),
        st.sampled_from([*ODD, "VCPU:1", "!CUSTOM_A", "in:CUSTOM_A", "none", "%ff", "*", "["]),
    ),
    max_size=3,
).map(lambda pairs: "&".join(f"{name}={value}" for name, value in pairs))


@pytest.fixture(scope="module")
def app():
    app = Application()
    for path, body in (
        ("/v1/nodes", {"driver": "fake-hardware", "name": "n", "resource_class": "a"}),
        (
            "/compute/v2.1/flavors",
            {"flavor": {"name": "f", "id": "0", "ram": 1, "vcpus": 1, "disk": 1}},
        ),
    ):
        assert send(app, "POST", path, "", json.dumps(body).encode(), "2.105", "1.39").status < 300
    yield app
    app.close()


def send(app, method, path, query, body, nova, placement):
    data = body or b""
    environ = {
        "REQUEST_METHOD": method,
        "PATH_INFO": path.encode("utf-8", "surrogatepass").decode("latin-1"),
        "QUERY_STRING": query,
        "CONTENT_TYPE": "application/json",
        "CONTENT_LENGTH": str(len(data)),
        "wsgi.input": BytesIO(data),
        "wsgi.url_scheme": "http",
        "HTTP_HOST": "fake",
        "HTTP_X_OPENSTACK_IRONIC_API_VERSION": "1.115",
        "HTTP_OPENSTACK_API_VERSION": f"compute {nova}, placement {placement}",
    }
    return app.answer(Request(environ))


def paths(prefix, words):
    parts = st.sampled_from([*words, *ODD]) | st.text(max_size=4)
    first = st.sampled_from(words)
    rest = st.lists(parts, max_size=3)
    return st.builds(lambda one, more: "/".join([prefix, one, *more]), first, rest)


@settings(
    max_examples=int(os.environ.get("FAKE_SERVER_EXAMPLES", "300")),
    deadline=None,
    derandomize="FAKE_SERVER_EXAMPLES" not in os.environ,
    suppress_health_check=list(HealthCheck),
)
@given(
    method=st.sampled_from(["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"]),
    path=paths("/compute/v2.1", NOVA) | paths("/placement", PLACEMENT),
    query=queries,
    body=bodies,
    nova=st.sampled_from(["2.1", "2.37", "2.60", "2.105", "latest", "\xff", "9.9"]),
    placement=st.sampled_from(["1.0", "1.12", "1.39", "latest", "\xff", "9.9"]),
)
def test_no_request_fails(app, method, path, query, body, nova, placement):
    assert send(app, method, path, query, body, nova, placement).status < 500


DEVICE = {
    "uuid": SERVER,
    "source_type": "volume",
    "destination_type": "volume",
    "boot_index": 0,
    "volume_size": 1,
    "volume_type": "x",
    "device_name": "vda",
    "tag": "t",
    "attach_mode": "ro",
}
WHOLE = [
    (
        "/compute/v2.1/servers",
        {
            "server": {
                "name": "s",
                "flavorRef": "0",
                "imageRef": SERVER,
                "networks": [{"uuid": SERVER, "fixed_ip": "192.0.2.1", "tag": "t"}],
                "block_device_mapping_v2": [DEVICE],
                "min_count": 1,
                "max_count": 1,
                "metadata": {"a": "b"},
                "tags": ["t"],
                "user_data": "YQ==",
                "availability_zone": "nova",
                "key_name": "k",
                "hostname": "h",
            },
            "os:scheduler_hints": {"group": SERVER},
        },
    ),
    ("/compute/v2.1/servers", {"server": {"name": "s", "flavorRef": "0", "networks": "auto"}}),
    (
        "/compute/v2.1/servers",
        {
            "server": {
                "name": "s",
                "flavorRef": "0",
                "block_device_mapping": [{"volume_id": SERVER}],
            }
        },
    ),
    (
        "/compute/v2.1/flavors",
        {"flavor": {"name": "g", "ram": 1, "vcpus": 1, "disk": 1, "swap": 1}},
    ),
    ("/compute/v2.1/flavors/0/os-extra_specs", {"extra_specs": {"resources:CUSTOM_A": "1"}}),
    ("/compute/v2.1/os-keypairs", {"keypair": {"name": "k", "public_key": "ssh-rsa YQ=="}}),
    ("/placement/resource_providers", {"name": "p", "uuid": SERVER, "parent_provider_uuid": None}),
    (
        "/placement/allocations",
        {
            SERVER: {
                "allocations": {SERVER: {"resources": {"VCPU": 1}}},
                "project_id": "p",
                "user_id": "u",
                "consumer_generation": None,
                "consumer_type": "INSTANCE",
            }
        },
    ),
]


def places(value, at=()):
    """Return the ways to all that is within a value."""
    if not isinstance(value, dict | list):
        return [at]
    inside = value.items() if isinstance(value, dict) else enumerate(value)
    return [at, *(place for key, part in inside for place in places(part, (*at, key)))]


def replaced(value, place, other):
    """Return a value with another one in a place within it."""
    if not place:
        return other
    changed = dict(value) if isinstance(value, dict) else list(value)
    changed[place[0]] = replaced(value[place[0]], place[1:], other)
    return changed


@settings(
    max_examples=int(os.environ.get("FAKE_SERVER_EXAMPLES", "300")),
    deadline=None,
    derandomize="FAKE_SERVER_EXAMPLES" not in os.environ,
    suppress_health_check=list(HealthCheck),
)
@given(st.data())
def test_no_request_with_one_odd_value_fails(app, data):
    path, whole = data.draw(st.sampled_from(WHOLE))
    body = replaced(whole, data.draw(st.sampled_from(places(whole))), data.draw(values))
    nova = data.draw(st.sampled_from(["2.36", "2.60", "2.105"]))
    answer = send(app, "POST", path, "", json.dumps(body).encode(), nova, "1.39")
    assert answer.status < 500, answer.body
