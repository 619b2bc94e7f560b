"""Whatever is asked, nothing fails: every route, with words and values that clients make up.

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

WORDS = [
    "v1",
    "nodes",
    "ports",
    "portgroups",
    "chassis",
    "drivers",
    "conductors",
    "volume",
    "connectors",
    "targets",
    "allocations",
    "shards",
    "deploy_templates",
    "runbooks",
    "inspection_rules",
    "events",
    "lookup",
    "heartbeat",
    "continue_inspection",
    "detail",
    "states",
    "power",
    "provision",
    "raid",
    "boot_mode",
    "secure_boot",
    "console",
    "maintenance",
    "management",
    "boot_device",
    "supported",
    "inject_nmi",
    "indicators",
    "vendor_passthru",
    "methods",
    "traits",
    "vifs",
    "bios",
    "firmware",
    "history",
    "inventory",
    "children",
    "validate",
    "vmedia",
    "properties",
    "logical_disk",
    "fake-hardware",
    "n",
    "CUSTOM_A",
    "networking",
    "v2.0",
    "networks",
    "baremetal",
    "None",
    "null",
    "true",
    "0",
    "1",
    "-1",
    "99999999999999999999",
    "%ff",
    ".json",
    "nodes.json",
]
ODD = [
    "",
    " ",
    "\x00",
    "é",
    "\ud7ff",
    "%",
    "a" * 300,
    "NaN",
    "1e999",
    "00000000-0000-0000-0000-000000000000",
]
segments = st.sampled_from([*WORDS, *ODD]) | st.text(max_size=5)
values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**70), 2**70)
    | st.floats(allow_nan=False)
    | st.sampled_from([*WORDS, *ODD]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                [
                    *WORDS,
                    "uuid",
                    "name",
                    "driver",
                    "extra",
                    "node_uuid",
                    "target",
                    "op",
                    "path",
                    "value",
                    "address",
                    "type",
                    "boot_index",
                    "traits",
                    "id",
                ]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=8,
)
operations = st.lists(
    st.fixed_dictionaries(
        {
            "op": st.sampled_from(["add", "remove", "replace", "test", "move", "copy"]),
            "path": st.sampled_from(
                [
                    "/extra",
                    "/extra/a",
                    "/name",
                    "/driver",
                    "/instance_uuid",
                    "/",
                    "x",
                    "/properties",
                    "/traits",
                    "/uuid",
                    "/node_uuid",
                    "/boot_index",
                ]
            ),
            "value": values,
        }
    ),
    max_size=3,
)
bodies = (
    st.none()
    | values.map(lambda value: json.dumps(value).encode())
    | operations.map(lambda value: json.dumps(value).encode())
    | st.binary(max_size=20)
)
queries = st.lists(
    st.tuples(
        st.sampled_from(
            [
                "limit",
                "marker",
                "fields",
                "detail",
                "sort_key",
                "sort_dir",
                "node",
                "driver",
                "shard",
                "owner",
                "maintenance",
                "_method",
                "bogus",
                "description_contains",
            ]
        ),
        st.sampled_from([*WORDS, "uuid,name", "id", "asc", "%ff", "%00"]),
    ),
    max_size=3,
).map(lambda pairs: "&".join(f"{name}={value}" for name, value in pairs))


@pytest.fixture(scope="module")
def app():
    app = Application()
    node = json.dumps({"driver": "fake-hardware", "name": "n"}).encode()
    assert send(app, "POST", "/v1/nodes", "", node, {}).status == 201
    yield app
    app.close()


def send(app, method, path, query, body, headers):
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
        **headers,
    }
    return app.answer(Request(environ))


@settings(
    max_examples=int(os.environ.get("FAKE_SERVER_EXAMPLES", "300")),
    deadline=None,
    derandomize="FAKE_SERVER_EXAMPLES" not in os.environ,
    suppress_health_check=list(HealthCheck),
)
@given(
    method=st.sampled_from(["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "BOGUS"]),
    path=st.lists(segments, max_size=5).map(lambda found: "/v1/" + "/".join(found)),
    query=queries,
    body=bodies,
    headers=st.fixed_dictionaries(
        {},
        optional={
            "HTTP_ACCEPT": st.sampled_from(["text/html", "*/*", "\xff", "a/b;q=x", ""]),
            "HTTP_X_OPENSTACK_IRONIC_API_VERSION": st.sampled_from(
                ["1.1", "latest", "\xff", "9.9", "1.50"]
            ),
            "CONTENT_TYPE": st.sampled_from(
                ["", "text/plain", "\xff", "application/x-www-form-urlencoded"]
            ),
            "CONTENT_LENGTH": st.sampled_from(["", "x", "-1"]),
        },
    ),
)
def test_no_request_fails(app, method, path, query, body, headers):
    assert send(app, method, path, query, body, headers).status < 500
