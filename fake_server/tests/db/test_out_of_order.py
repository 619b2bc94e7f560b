"""A database that can't be used for a while costs an answer with its reason."""

from __future__ import annotations

import sqlite3

import pytest
import requests

from fake_server.db import store
from fake_server.db.errors import out_of_order
from fake_server.middleware import retries
from fake_server.server import FakeServer

NODE = {"driver": "fake-hardware"}


@pytest.fixture
def file(tmp_path, monkeypatch):
    monkeypatch.setattr(store, "_BUSY", 0.05)
    monkeypatch.setattr(retries, "_SECONDS", 0.2)
    return tmp_path / "db"


@pytest.fixture
def server(file):
    with FakeServer(db=f"sqlite:///{file}") as server:
        yield server


def test_a_file_that_another_program_keeps_locked(server, file, caplog):
    other = sqlite3.connect(file, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    for path in ("/v1/nodes", "/networking/v2.0/networks"):
        answer = requests.post(f"{server.url}{path}", json=NODE, timeout=30)
        assert answer.status_code == 503, answer.text
        assert "can't be used at the moment: database is locked" in answer.text
    assert [record.exc_info for record in caplog.records] == [None, None]
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
        assert out_of_order(caught.value) == reason
