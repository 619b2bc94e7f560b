"""A database that can't be used for a while costs an answer with its reason."""

from __future__ import annotations

import sqlite3
import subprocess
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import pytest
import requests

from fake_server.db import store
from fake_server.db.errors import out_of_order
from fake_server.middleware import retries
from fake_server.server import FakeServer
from fake_server.tests import databases

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
        assert not any(record.exc_info for record in caplog.records)
    finally:
        database.stop()
