"""Whatever is asked, nothing fails: every route, with words and values that clients make up.

``FAKE_SERVER_EXAMPLES`` says how many requests are tried (default: 150, or 1,000 with ``--all``).
"""

from __future__ import annotations

import json
import os

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fake_server.app import Application
from fake_server.tests.test_recorded_bodies import SERVICES, places, replaced, requests
from fake_server.tests.wsgi import request


def split(text):
    return text.split()


IRONIC = split("""
nodes ports portgroups chassis drivers conductors volume connectors targets allocations
shards deploy_templates runbooks inspection_rules events lookup heartbeat detail states
continue_inspection power provision raid boot_mode secure_boot console maintenance
management boot_device supported inject_nmi indicators vendor_passthru methods traits vifs
bios firmware history inventory children validate vmedia properties logical_disk n
fake-hardware CUSTOM_A None null true 0 1 -1 99999999999999999999 %ff .json nodes.json
""")
NOVA = split("""
servers detail action flavors os-extra_specs os-flavor-access os-keypairs metadata ips
os-volume_attachments os-interface os-services os-hypervisors os-availability-zone limits
""")
PLACEMENT = split("""
resource_providers inventories traits aggregates usages allocations allocation_candidates
resource_classes
""")
SERVER = "8b6a6b0e-0b2d-4d7c-9b8b-6f9c0a5c1d11"
ODD = ["", " ", "\x00", "é", "\ud7ff", "%", "a" * 300, "NaN", "1e999", SERVER, "VCPU"]
KEYS = split("""
uuid name driver extra node_uuid target op path value address type boot_index id server
flavorRef imageRef networks port min_count block_device_mapping_v2 source_type attach_mode
flavor ram volumeAttachment interfaceAttachment extra_specs keypair reboot rebuild os-stop
inventories total resource_provider_generation allocations resources project_id
""")
QUERY = split("""
limit marker fields detail sort_key sort_dir node driver shard owner maintenance _method
bogus description_contains name status all_tenants resources required member_of in_tree
group_policy resources1 project_id minRam
""")
PATHS = "/extra /extra/a /name /driver /instance_uuid / x /properties /traits /uuid /boot_index"
words = st.sampled_from([*IRONIC, *NOVA, *PLACEMENT, *ODD, "auto", "ro", "HARD"])
values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.floats(allow_nan=False) | words,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from([*KEYS, *ODD]), inner, max_size=4)
    ),
    max_leaves=8,
)
operations = st.fixed_dictionaries(
    {
        "op": st.sampled_from(["add", "remove", "replace", "test", "move", "copy"]),
        "path": st.sampled_from(PATHS.split()),
        "value": values,
    }
)
documents = values | st.lists(operations, max_size=3)
bodies = st.none() | documents.map(lambda one: json.dumps(one).encode()) | st.binary(max_size=20)
queries = st.lists(
    st.tuples(st.sampled_from(QUERY), words | st.sampled_from(["uuid,name", "VCPU:1", "%00"])),
    max_size=3,
).map(lambda pairs: "&".join(f"{name}={value}" for name, value in pairs))
headers = st.fixed_dictionaries(
    {},
    optional={
        "HTTP_ACCEPT": st.sampled_from(["text/html", "*/*", "\xff", "a/b;q=x", ""]),
        "HTTP_X_OPENSTACK_IRONIC_API_VERSION": st.sampled_from(
            ["1.1", "latest", "\xff", "9.9", "1.50"]
        ),
        "HTTP_OPENSTACK_API_VERSION": st.sampled_from(
            ["compute 2.1, placement 1.0", "compute 2.60", "compute latest", "placement \xff", "x"]
        ),
        "CONTENT_TYPE": st.sampled_from(["", "text/plain", "\xff"]),
        "CONTENT_LENGTH": st.sampled_from(["", "x", "-1"]),
    },
)
PREFIXES = {
    **{"network": "/networking/v2.0", "volume": "/volume/v3", "compute": "/compute/v2.1"},
    **{"placement": "/placement", "image": "/image/v2", "identity": "/identity/v3"},
}
paths = st.one_of(
    st.builds(
        lambda prefix, parts: "/".join([prefix, *parts]),
        st.just(prefix),
        st.lists(st.sampled_from(known) | words | st.text(max_size=4), max_size=5),
    )
    for prefix, known in (
        *(("/v1", IRONIC), ("/compute/v2.1", NOVA), ("/placement", PLACEMENT)),
        ("/networking/v2.0", ["networks", "ports", "subnets", "trunks", "segments", "quotas"]),
        ("/volume/v3", ["volumes", "attachments", "types", "action", "metadata"]),
    )
)


@pytest.fixture(scope="module")
def app():
    app = Application()
    flavor = {"name": "f", "id": "0", "ram": 1, "vcpus": 1, "disk": 1}
    node = {"driver": "fake-hardware", "name": "n", "resource_class": "a"}
    for path, body in (("/v1/nodes", node), ("/compute/v2.1/flavors", {"flavor": flavor})):
        assert send(app, "POST", path, "", json.dumps(body).encode(), {}).status < 300
    yield app
    app.close()


def send(app, method, path, query, body, more):
    environ = {
        "PATH_INFO": path.encode("utf-8", "surrogatepass").decode("latin-1"),
        "QUERY_STRING": query,
        "CONTENT_TYPE": "application/json",
        "HTTP_X_OPENSTACK_IRONIC_API_VERSION": "1.115",
        "HTTP_OPENSTACK_API_VERSION": "compute 2.105, placement 1.39, volume 3.71",
        **more,
    }
    return app.answer(request(method, "", body or b"", **environ))


def many(config):
    given_number = os.environ.get("FAKE_SERVER_EXAMPLES")
    return int(given_number or (1000 if config.getoption("--all") else 150))


def tried(pytestconfig, strategy, check):
    """Check as many examples as the options say."""
    limits = settings(
        max_examples=many(pytestconfig),
        deadline=None,
        derandomize="FAKE_SERVER_EXAMPLES" not in os.environ,
        suppress_health_check=list(HealthCheck),
    )
    limits(given(strategy)(check))()


def test_no_request_fails(app, pytestconfig):
    methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "BOGUS"]

    def check(asked):
        assert send(app, *asked).status < 500

    strategy = st.tuples(st.sampled_from(methods), paths, queries, bodies, headers)
    tried(pytestconfig, strategy, check)


WHOLE = [(service, *one) for service in SERVICES for one in requests(service)]


def test_no_request_with_one_odd_value_fails(app, pytestconfig):
    def check(data):
        service, method, path, whole = data.draw(st.sampled_from(WHOLE))
        body = replaced(whole, data.draw(st.sampled_from(list(places(whole)))), data.draw(values))
        text = json.dumps(body).encode()
        answer = send(app, method, PREFIXES[service] + path, "", text, {})
        assert answer.status < 500, answer.body

    tried(pytestconfig, st.data(), check)
