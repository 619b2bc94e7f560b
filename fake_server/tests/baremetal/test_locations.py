"""Where answers say that something is; these run on a real Ironic, too."""

from __future__ import annotations

import pytest
import requests

from fake_server.server import FakeServer
from fake_server.tests.baremetal.api import LATEST
from fake_server.tests.baremetal.test_recorded_versions import KINDS, NODE, numbered

HEADERS = {"X-OpenStack-Ironic-API-Version": LATEST}
# The path that Ironic has in links where it isn't that of the resource.
LINKED = {"inspection_rules": "inspection"}
CHANGED = {
    "traits/CUSTOM_LOCATED": (None, "traits/CUSTOM_LOCATED"),
    "states/power": ({"target": "power on"}, "states"),
    "states/provision": ({"target": "manage"}, "states"),
    "states/boot_mode": ({"target": "uefi"}, "states"),
    "states/secure_boot": ({"target": True}, "states"),
    "states/console": ({"enabled": True}, "states/console"),
}


@pytest.fixture(scope="module")
def url(request):
    """The address of the server under test."""
    real = request.config.getoption("--real-ironic")
    if real:
        yield real
    else:
        with FakeServer() as server:
            yield server.url


@pytest.fixture
def node(url):
    """The UUID of a node."""
    body = {"driver": "fake-hardware", "uuid": NODE}
    answer = requests.post(f"{url}/v1/nodes", json=body, headers=HEADERS, timeout=60)
    assert answer.headers["Location"] == f"{url}/v1/nodes/{NODE}"
    yield NODE
    for method, path in (("PUT", f"{NODE}/maintenance"), ("DELETE", NODE)):
        answer = requests.request(method, f"{url}/v1/nodes/{path}", headers=HEADERS, timeout=60)
        for _ in range(20):
            if answer.status_code != 409:
                break
            answer = requests.request(method, f"{url}/v1/nodes/{path}", headers=HEADERS, timeout=60)


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "nodes"])
@pytest.mark.usefixtures("node")
def test_what_is_created_is_where_its_link_says(url, kind):
    body = numbered(KINDS[kind], 1)
    answer = requests.post(f"{url}/v1/{kind}", json=body, headers=HEADERS, timeout=60)
    made = answer.json()
    assert answer.headers["Location"] == f"{url}/v1/{kind}/{made['uuid']}"
    linked = f"{LINKED.get(kind, kind)}/{made['uuid']}"
    assert [link["href"] for link in made["links"]] == [f"{url}/v1/{linked}", f"{url}/{linked}"]
    deleted = requests.delete(answer.headers["Location"], headers=HEADERS, timeout=60)
    assert deleted.status_code == 204


@pytest.mark.parametrize("path", CHANGED)
def test_what_changes_a_node_says_where_to_look(url, node, path):
    body, place = CHANGED[path]
    target = f"{url}/v1/nodes/{node}/{path}"
    answer = requests.put(target, json=body, headers=HEADERS, timeout=60)
    assert answer.status_code in (202, 204), answer.text
    assert answer.headers["Location"] == f"{url}/v1/nodes/{node}/{place}"
