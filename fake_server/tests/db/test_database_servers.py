"""Database servers for tests: what is skipped without them, and what they leave behind."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import sqlalchemy as sa

from fake_server.tests import databases


@pytest.mark.parametrize("kind", ["postgresql", "mariadb"])
def test_a_missing_server_skips_the_test_and_leaves_nothing_behind(kind, monkeypatch, tmp_path):
    monkeypatch.setattr(shutil, "which", lambda *_args, **_options: None)
    monkeypatch.setattr(Path, "glob", lambda *_args: iter(()))
    monkeypatch.setattr(databases, "_servers", {})
    monkeypatch.setattr(databases.tempfile, "tempdir", str(tmp_path))
    monkeypatch.delenv("FAKE_SERVER_DATABASES", raising=False)
    with pytest.raises(pytest.skip.Exception, match=f"{kind} can't be started"):
        databases.server(kind)
    assert os.listdir(tmp_path) == []


def test_a_missing_server_is_an_error_where_it_is_required(monkeypatch):
    monkeypatch.setattr(shutil, "which", lambda *_args, **_options: None)
    monkeypatch.setattr(databases, "_servers", {})
    monkeypatch.setenv("FAKE_SERVER_DATABASES", "required")
    with pytest.raises(FileNotFoundError, match="mariadb-install-db isn't installed"):
        databases.server("mariadb")


@pytest.mark.parametrize("kind", ["postgresql", "mariadb"])
def test_a_killed_run_leaves_nothing_behind(kind):
    databases.server(kind)  # skips the test where there is none
    program = (
        "import os; from fake_server.tests import databases; "
        f"server = databases.server({kind!r}); server.database(); "
        "print(server.directory, server.port, flush=True); os.kill(os.getpid(), 9)"
    )
    # It lasts until nobody has its stderr any more.
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, timeout=120)
    directory, port = done.stdout.split()
    assert not Path(os.fsdecode(directory)).exists()
    engine = sa.create_engine(databases.server(kind).url.format(port=int(port), name="test0"))
    with pytest.raises(sa.exc.OperationalError):
        engine.connect()


@pytest.mark.parametrize("kind", ["postgresql", "mariadb"])
def test_a_database_lasts_as_long_as_its_owner(kind):
    server = databases.server(kind)
    ends = []
    with databases.owned_by(ends.append):
        url = server.database()
    engine = sa.create_engine(url)
    with engine.connect() as connection:
        connection.execute(sa.text("CREATE TABLE t (id INTEGER)"))
    for end in ends:
        end()
    with pytest.raises(sa.exc.DBAPIError):
        engine.connect().execute(sa.text("SELECT * FROM t"))
    engine.dispose()
