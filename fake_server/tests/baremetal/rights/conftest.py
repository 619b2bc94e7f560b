"""A node with all that it may have, in conditions that Ironic was asked about."""

from __future__ import annotations

import pytest

from fake_server.baremetal.tables import nodes
from fake_server.tests.baremetal.api import Api
from fake_server.tests.baremetal.rights import conditions


@pytest.fixture(scope="module")
def things():
    """The requests that make what there is."""
    return conditions.things()


@pytest.fixture(scope="module")
def api(things):
    made = Api(hardware_types=("fake-hardware",))
    for method, path, body in things:
        status, answer = made(method, f"/v1/{path}", body)
        assert status < 300, (method, path, answer)
    made.keep()
    yield made
    made.app.close()


@pytest.fixture
def prepare(api, condition):
    """Return what brings the node into a condition, from whatever has become of it."""

    def put_back():
        api.go_back()
        with api.app.store.transaction() as tx:
            fields = conditions.CONDITIONS[condition]
            tx.update(nodes, [nodes.c.uuid == conditions.NODE], fields)

    return put_back
