"""What is said of databases that can't be used, and what errors of databases mean."""

from __future__ import annotations

import sqlite3
import subprocess
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import pytest
import requests
import sqlalchemy as sa

from fake_server.db import engines, errors
from fake_server.db.schema import fingerprint
from fake_server.db.store import Store
from fake_server.middleware import chain
from fake_server.server import FakeServer
from fake_server.tests import databases

METADATA = sa.MetaData()
NODE = {"driver": "fake-hardware"}


def refused(url, metadata=METADATA):
    with pytest.raises(ValueError, match="a") as caught:
        Store(metadata, url)
    return str(caught.value)


def test_what_is_no_url():
    text = "Invalid database URL. It has to be one of SQLAlchemy's, such as postgresql://…"
    assert refused("x") == refused("") == text


@pytest.mark.parametrize(
    ("tables", "named"),
    [("a", "a"), ("a b c d e", "a, b, c, d, e"), ("f e d c b a", "a, b, c, d, e")],
)
def test_tables_of_another_program_are_named(tmp_path, tables, named):
    path = tmp_path / "db"
    connection = sqlite3.connect(path)
    for name in tables.split():
        connection.execute(f"CREATE TABLE {name} (id INTEGER)")
    connection.close()
    assert refused(f"sqlite:///{path}") == (
        f"The database sqlite:///{path} can't be used: it has tables of another program ({named})."
        " Use an empty database"
    )


def test_both_schemas_are_named(tmp_path):
    url = f"sqlite:///{tmp_path}/db"
    Store(METADATA, url).close()
    other = sa.MetaData()
    sa.Table("others", other, sa.Column("id", sa.Integer, primary_key=True))
    assert refused(url, other) == (
        f"The database {url} can't be used: it was created by another version of the fake server, "
        f"with the schema {fingerprint(METADATA)}, and that of this version is "
        f"{fingerprint(other)}: use that version, or start with --migrate, which carries it over"
    )
    Store(METADATA, url).close()


@pytest.mark.parametrize(("place", "journal", "durable"), [("", "memory", 2), ("db", "wal", 1)])
def test_how_sqlite_is_set_up(tmp_path, place, journal, durable):
    store = Store(METADATA, f"sqlite:///{tmp_path}/{place}" if place else "sqlite://")
    with store.transaction() as tx:
        shown = {
            name: tx.all(sa.text(f"PRAGMA {name}"))[0][name]
            for name in ("foreign_keys", "journal_mode", "synchronous")
        }
    store.close()
    assert shown == {"foreign_keys": 1, "journal_mode": journal, "synchronous": durable}


def test_work_outside_of_a_transaction_is_explained():
    interrupted = errors.Interrupted(lambda: None)
    assert str(interrupted) == "work has to be done outside the transaction first"


@pytest.mark.parametrize(
    ("text", "columns"),
    [
        ("UNIQUE constraint failed: nodes.name", {"name"}),
        ("UNIQUE constraint failed: a.owner, a.name", {"owner", "name"}),
        ("Key (name)=(n) already exists.", {"name"}),
        ('x\nDETAIL:  Key (owner, "number")=(o, 1) already exists.', {"owner", "number"}),
        ('Key (node_id)=(5) is not present in table "nodes".', None),
        ("(1062, \"Duplicate entry 'n' for key 'nodes.uniq_nodes0name'\")", {"name"}),
        ("Duplicate entry 'n' for key 'uniq_a0owner0name'", {"owner", "name"}),
        ("FOREIGN KEY constraint failed", None),
        ("NOT NULL constraint failed: nodes.name", None),
    ],
)
def test_columns_that_clash_are_read_from_messages(text, columns):
    assert errors.clashing_columns(Exception(text)) == columns


@pytest.mark.parametrize(
    ("text", "violates"),
    [
        ("FOREIGN KEY constraint failed", True),
        ("UNIQUE constraint failed: nodes.name", False),
        ("NOT NULL constraint failed: nodes.name", False),
    ],
)
def test_a_missing_row_is_told_apart(text, violates):
    assert errors.violates_foreign_key(sqlite3.IntegrityError(text)) is violates


def test_a_lock_that_another_connection_holds_is_a_conflict(tmp_path):
    first, second = (
        sqlite3.connect(tmp_path / "db", timeout=0, isolation_level=None) for _ in range(2)
    )
    first.execute("BEGIN IMMEDIATE")
    with pytest.raises(sqlite3.OperationalError) as locked:
        second.execute("BEGIN IMMEDIATE")
    with pytest.raises(sqlite3.OperationalError) as wrong:
        second.execute("no SQL")
    assert errors.is_conflict(locked.value, sqlite3)
    assert not errors.is_conflict(wrong.value, sqlite3)
    assert not errors.is_conflict(ValueError("database is locked"), sqlite3)


def test_a_file_that_another_program_keeps_locked(tmp_path, monkeypatch, caplog):
    monkeypatch.setattr(engines, "_BUSY", 0.05)
    monkeypatch.setattr(chain, "_SECONDS", 0.2)
    file = tmp_path / "db"
    with FakeServer(db=f"sqlite:///{file}") as server:
        other = sqlite3.connect(file, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        network = {"network": {"name": "n"}}
        for path, body in (("/v1/nodes", NODE), ("/networking/v2.0/networks", network)):
            answer = requests.post(f"{server.url}{path}", json=body, timeout=30)
            assert answer.status_code == 503, answer.text
            assert "can't be used at the moment: database is locked" in answer.text
        assert [record.exc_text for record in caplog.records] == [None, None]
        other.execute("ROLLBACK")
        assert requests.post(f"{server.url}/v1/nodes", json=NODE, timeout=30).status_code == 201


def test_which_errors_mean_that_the_database_fails():
    database = sqlite3.connect(":memory:")
    database.execute("PRAGMA max_page_count = 5")
    database.execute("CREATE TABLE t (x)")
    for statement, reason in (
        ("INSERT INTO t VALUES (zeroblob(1000000))", "database or disk is full"),
        ("INSERT INTO nowhere VALUES (1)", None),
    ):
        with pytest.raises(sqlite3.OperationalError) as caught:
            database.execute(statement)
        assert errors.out_of_order(caught.value) == reason


@pytest.mark.slow("needs a database server of its own")
def test_a_server_that_is_down_for_a_moment(caplog):
    try:
        database = databases.PostgreSQL()
    except (OSError, LookupError, subprocess.CalledProcessError) as exc:
        pytest.skip(f"NOT TESTED: PostgreSQL can't be started: {exc}")
    try:
        url = database.url.format(port=database.port, name=database.first)
        with FakeServer(db=url, seed={"nodes": [{"name": "n"}]}) as server:
            headers = {"X-OpenStack-Ironic-API-Version": "1.95"}
            one = f"{server.url}/v1/nodes/n"
            ask = partial(requests.request, url=one, headers=headers, timeout=30)
            assert ask("GET").status_code == 200
            with ThreadPoolExecutor(8) as pool:
                subprocess.run(database.stopping(), check=True, capture_output=True, cwd="/")
                down = list(pool.map(ask, ["GET", "DELETE"] * 10))
                database.launch()
                assert {answer.status_code for answer in down} == {503}
                assert all(answer.json()["error_message"] for answer in down)
            assert ask("GET").status_code == 200
        assert len(caplog.records) <= len(down)
        assert not any(record.exc_text for record in caplog.records)
    finally:
        database.stop()


@pytest.mark.parametrize("place", ["", "db"])
def test_errors_do_not_quote_what_was_to_be_stored(tmp_path, place):
    table = sa.Table("t", sa.MetaData(), sa.Column("x", sa.JSON))
    store = Store(table.metadata, f"sqlite:///{tmp_path}/{place}" if place else "sqlite://")
    row = {"x": {"password": "s3cret", "a": {1}}}
    for write in (lambda tx: tx.insert(table, row), lambda tx: tx.update(table, [], row)):
        with pytest.raises(errors.UnstorableError) as caught, store.transaction() as tx:
            write(tx)
        told = [str(exc) for exc in (caught.value, caught.value.__cause__)]
        assert all(told)
        assert not [text for text in told if "s3cret" in text]
    store.close()
