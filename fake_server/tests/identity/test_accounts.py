"""Accounts in files."""

from __future__ import annotations

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


def test_servers_on_one_database_share_their_accounts(tmp_path):
    db = f"sqlite:///{tmp_path}/fake.sqlite"
    settings = Settings(auth="keystone")
    with FakeServer(settings, db=db), FakeServer(settings, db=db) as second:
        caller = second.app.services["identity"]
        assert caller is not None
