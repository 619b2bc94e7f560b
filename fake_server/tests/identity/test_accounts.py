"""Accounts in files."""

from __future__ import annotations

import pytest

from fake_server.identity import accounts
from fake_server.server import FakeServer
from fake_server.settings import Settings


def write(tmp_path, text):
    path = tmp_path / "accounts.yaml"
    path.write_text(text)
    return str(path)


def test_a_file_of_accounts(tmp_path, clock):
    path = write(
        tmp_path,
        "users:\n"
        "- name: alice\n  password: wonder\n  projects: {lab: [member]}\n"
        "- name: auditor\n  system: [reader]\n",
    )
    found = accounts.read(path)
    assert [account.name for account in found] == ["alice", "auditor"]
    assert found[0].projects == {"lab": ["member"]}
    assert found[1].password == "secret"
    assert "wonder" not in repr(found)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "needs a list 'users'"),
        ("users: []", "needs a list 'users'"),
        ("users: [5]", "Account 1 .* needs a name"),
        ("users: [{name: a, roles: [admin]}]", "has roles; known is"),
        ("users: [{name: a, password: 5}]", "password that is text"),
        ("users: [{name: a, projects: [x]}]", "needs projects as an object"),
        ("users: [{name: a, system: [king]}]", "lists of admin, manager"),
        ("users: [{name: a}, {name: a}]", "more than one account called a"),
        ("users: [", "neither YAML nor JSON"),
    ],
)
def test_files_that_hold_no_accounts(tmp_path, text, problem):
    with pytest.raises(ValueError, match=problem):
        accounts.read(write(tmp_path, text))


def test_a_missing_file(tmp_path):
    with pytest.raises(ValueError, match="No such file"):
        accounts.read(str(tmp_path / "none"))


def test_servers_on_one_database_share_their_accounts(tmp_path):
    db = f"sqlite:///{tmp_path}/fake.sqlite"
    settings = Settings(auth="keystone")
    with FakeServer(settings, db=db), FakeServer(settings, db=db) as second:
        caller = second.app.services["identity"]
        assert caller is not None
