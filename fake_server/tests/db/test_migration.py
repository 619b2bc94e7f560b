"""A state database across an update of the fake server."""

from __future__ import annotations

import json

import pytest
import sqlalchemy as sa

from fake_server.app import Application
from fake_server.cli import main
from fake_server.db.store import Store
from fake_server.server import FakeServer
from fake_server.tests import databases
from fake_server.tests.wsgi import request


def schema(*columns, more=()):
    """Return the tables of a version of a program."""
    found = sa.MetaData()
    sa.Table("things", found, sa.Column("id", sa.Integer, primary_key=True), *columns)
    for name in more:
        sa.Table(
            name,
            found,
            sa.Column("id", sa.Integer, primary_key=True),
            sa.Column("thing_id", sa.ForeignKey("things.id")),
        )
    return found


def name():
    return sa.Column("name", sa.String(10), nullable=False)


NEWER = {
    "a column that may be null": lambda: schema(name(), sa.Column("size", sa.Integer)),
    "a column with a default": lambda: schema(
        name(), sa.Column("size", sa.Integer, nullable=False, default=7)
    ),
    "a text with a default": lambda: schema(
        name(), sa.Column("kind", sa.String(9), nullable=False, default="it's", index=True)
    ),
    "tables": lambda: schema(name(), more=("parts", "papers")),
}
ELSE = {
    "things.name": lambda: schema(),
    "things.size": lambda: schema(name(), sa.Column("size", sa.Integer, nullable=False)),
    "things.name and 1 others": lambda: schema(
        sa.Column("name", sa.Integer, nullable=False), sa.Column("s", sa.Integer, nullable=False)
    ),
}


@pytest.fixture
def url(tmp_path):
    """A database of the first version, with one row."""
    found = databases.new(copied=False)
    found = f"sqlite:///{tmp_path}/state" if found == "sqlite://" else found
    tables = schema(name())
    store = Store(tables, found)
    with store.transaction() as tx:
        tx.insert(tables.tables["things"], {"id": 1, "name": "first"})
    store.close()
    return found


def rows(store):
    things = store.metadata.tables["things"]
    with store.transaction(write=False) as tx:
        return tx.all(sa.select(things).order_by(things.c.id))


def is_as_before(url):
    store = Store(schema(name()), url)
    found = rows(store)
    store.close()
    return found == [{"id": 1, "name": "first"}]


@pytest.mark.parametrize("what", NEWER)
def test_what_has_a_way_over_is_carried_over(url, what):
    with pytest.raises(ValueError, match=r"start with --migrate, which carries it over$"):
        Store(NEWER[what](), url)
    assert is_as_before(url)
    store = Store(NEWER[what](), url, upgrade="migrate")
    (row,) = rows(store)
    wanted = {"id": 1, "name": "first", "size": 7, "kind": "it's"}
    expected = {key: wanted[key] for key in row}
    if what == "a column that may be null":
        expected["size"] = None
    assert row == expected
    with store.transaction() as tx:
        things = store.metadata.tables["things"]
        tx.insert(things, {"id": 2, "name": "second"})
        for table in store.metadata.tables.values():
            if table is not things:
                tx.insert(table, {"id": 1, "thing_id": 2})
    store.close()
    again = Store(NEWER[what](), url)
    assert len(rows(again)) == 2
    again.close()


@pytest.mark.parametrize("upgrade", ["refuse", "migrate"])
@pytest.mark.parametrize("what", ELSE)
def test_what_has_none_is_refused_and_stays(url, what, upgrade):
    text = rf"start with --fresh, .* no way over for {what}$"
    with pytest.raises(ValueError, match=text):
        Store(ELSE[what](), url, upgrade=upgrade)
    assert is_as_before(url)


@pytest.mark.parametrize("what", [*NEWER, *ELSE])
def test_a_fresh_one_has_nothing_of_the_old_one(url, what):
    tables = {**NEWER, **ELSE}[what]
    store = Store(tables(), url, upgrade="fresh")
    assert rows(store) == []
    store.close()
    Store(tables(), url).close()


@pytest.mark.parametrize("upgrade", ["migrate", "fresh"])
def test_one_of_this_version_is_left_as_it_is(url, upgrade):
    Store(schema(name()), url, upgrade=upgrade).close()
    assert is_as_before(url)


def older(tmp_path, *, definition=True):
    """Return the database of a version that had no due work and no seeds of delays."""
    url = f"sqlite:///{tmp_path}/state"
    app = Application(db=url)
    body = {"driver": "fake-hardware", "name": "n"}
    assert (
        app.answer(
            request(*("POST", "/v1/nodes", body), HTTP_X_OPENSTACK_IRONIC_API_VERSION="1.100")
        ).status
        == 201
    )
    app.control.snapshots.take("lab")
    gone = ("nodes.delays_drawn", "kept_nodes.delays_drawn")
    tables = ("due_work", "kept_due_work")
    with app.store.engine.begin() as connection:
        text = connection.exec_driver_sql("SELECT definition FROM fake_server_schema").scalar()
        for table in tables:
            connection.exec_driver_sql(f"DROP TABLE {table}")
        for column in gone:
            table, _, short = column.partition(".")
            connection.exec_driver_sql(f"ALTER TABLE {table} DROP COLUMN {short}")
        kept = {
            column: what
            for column, what in json.loads(text).items()
            if column not in gone and column.partition(".")[0] not in tables
        }
        connection.exec_driver_sql(
            "UPDATE fake_server_schema SET fingerprint = ?, definition = ?",
            ("0123456789ab", json.dumps(kept)),
        )
        if not definition:
            connection.exec_driver_sql("ALTER TABLE fake_server_schema DROP COLUMN definition")
    app.close()
    return url


def test_a_lab_is_carried_over_with_its_snapshots(tmp_path):
    with FakeServer(db=older(tmp_path), upgrade="migrate") as server:
        assert server.nodes["n"].provision_state == "enroll"
        server.nodes["n"].set(provision_state="manageable")
        server.snapshots.restore("lab")
        assert server.nodes["n"].provision_state == "enroll"


@pytest.mark.parametrize(("definition", "option"), [(True, "--migrate"), (False, "--fresh")])
def test_the_command_says_in_one_line_what_to_do(tmp_path, capsys, definition, option):
    url = older(tmp_path, definition=definition)
    before = (tmp_path / "state").read_bytes()
    assert main(["--db", url, "--port", "0"]) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert "with the schema 0123456789ab, and that of this version is " in line
    assert f"start with {option}, " in line
    assert (tmp_path / "state").read_bytes() == before
