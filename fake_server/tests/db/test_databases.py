"""Which databases are taken, and what they keep when the server is killed."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
import requests
import sqlalchemy as sa

from fake_server.app import Application
from fake_server.baremetal import tables
from fake_server.common.wsgi import Request
from fake_server.db.store import ConflictError, Store, UnstorableError, WriteNeededError
from fake_server.server import FakeServer
from fake_server.tests import databases

HEADERS = {"X-OpenStack-Ironic-API-Version": "1.99", "Content-Type": "application/json"}


@pytest.fixture(params=databases.params())
def url(request, tmp_path):
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/db"
    return databases.new(request.param, copied=False)


@pytest.fixture(scope="module", params=databases.params())
def app(request):
    app = Application(db=databases.new(request.param))
    yield app
    app.close()


def test_reading_does_not_wait_for_who_writes(url):
    app = Application(db=url)
    with app.store.transaction() as writer:
        writer.insert(tables.chassis, {"uuid": "c"})
        with app.store.transaction(write=False) as reader:
            assert reader.get(tables.chassis, uuid="c") is None
            with pytest.raises(WriteNeededError):
                reader.insert(tables.chassis, {"uuid": "d"})
    app.close()


@pytest.mark.parametrize(
    "path",
    [
        *("/v1/nodes?owner=\0", "/v1/nodes?description_contains=\0"),
        *("/networking/v2.0/networks/\0", "/networking/v2.0/ports/\0"),
        *("/networking/v2.0/ports?device_id=\0", "/volume/v3/volumes/\0"),
        *("/volume/v3/volumes?name=\0", "/image/v2/images/\0", "/compute/v2.1/servers/\0"),
        *("/compute/v2.1/flavors/\0", "/placement/resource_providers/\0"),
        *("/placement/allocations/\0",),
    ],
)
def test_what_no_database_can_hold_is_no_failure_of_the_server(app, path):
    path, _, query = path.partition("?")
    environ = {
        "REQUEST_METHOD": "GET",
        "PATH_INFO": path,
        "QUERY_STRING": query.replace("\0", "%00"),
        "wsgi.url_scheme": "http",
        "HTTP_HOST": "fake",
        "HTTP_X_OPENSTACK_IRONIC_API_VERSION": "1.99",
    }
    assert app.answer(Request(environ)).status in (200, 400, 404)


@pytest.mark.parametrize("kind", databases.params())
def test_an_error_that_quotes_what_no_database_can_hold_is_stored(kind):
    kept = "\0" if kind in ("sqlite", "mariadb") else "\ufffd"
    seed = {"nodes": [{"name": "n", "driver": "fake-hardware", "provision_state": "active"}]}
    with FakeServer(db=databases.new(kind), seed=seed) as server:
        headers = {"X-OpenStack-Ironic-API-Version": "1.99"}
        steps = [{"interface": "deploy", "step": "a\0b", "args": {}}]
        requests.put(
            f"{server.url}/v1/nodes/n/states/provision",
            json={"target": "service", "service_steps": steps},
            headers=headers,
            timeout=30,
        ).raise_for_status()
        node = requests.get(f"{server.url}/v1/nodes/n", headers=headers, timeout=30).json()
    assert node["provision_state"] == "service failed"
    assert f"a{kept}b" in node["last_error"]


@pytest.mark.slow("needs a database server")
def test_who_loses_a_deadlock_of_prepared_queries_is_told_of_a_conflict():
    app = Application(db=databases.new("mariadb"))
    with app.store.transaction() as tx:
        for uuid in ("a", "b"):
            tx.insert(tables.chassis, {"uuid": uuid})

    def change_one_and_read_the_other(first, second):
        with app.store.transaction() as tx:
            tx.update(tables.chassis, [tables.chassis.c.uuid == first], {"description": "x"})
            both.wait(30)
            tx.get(tables.chassis, uuid=second)

    both = Barrier(2)
    with ThreadPoolExecutor(2) as pool:
        runs = [pool.submit(change_one_and_read_the_other, *pair) for pair in ("ab", "ba")]
        failures = [run.exception() for run in runs]
    assert sorted(type(failure) for failure in failures if failure) == [ConflictError]
    app.close()


@pytest.mark.parametrize("kind", databases.params())
def test_only_a_row_that_has_gone_is_a_conflict(kind):
    metadata = sa.MetaData()
    boxes = sa.Table(
        "boxes",
        metadata,
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("name", sa.String(10), nullable=False),
    )
    columns = [sa.Column("id", sa.Integer, primary_key=True)]
    things = sa.Table("things", metadata, *columns, sa.Column("box_id", sa.ForeignKey(boxes.c.id)))
    store = Store(metadata, "sqlite://" if kind == "sqlite" else databases.new(kind, copied=False))
    with pytest.raises(ConflictError), store.transaction() as tx:
        tx.insert(things, {"box_id": 7})
    with pytest.raises(UnstorableError), store.transaction() as tx:
        tx.insert(boxes, {"name": None})
    store.close()
