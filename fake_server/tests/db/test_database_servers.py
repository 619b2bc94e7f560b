"""Tests that need a database server are skipped on a machine that has none."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

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
