"""Small seeds that stand for endless labs are refused at once, wherever they come from."""

from __future__ import annotations

import pytest
import requests

from fake_server.cli import ctl
from fake_server.identity import accounts
from fake_server.seeds.parsing import SeedError, load, read
from fake_server.server import FakeServer

DEEP = "[" * 100_000
ALIASES = "a: &a [x, x]\n" + "".join(
    f"{name}: &{name} [{', '.join([f'*{before}'] * 9)}]\n"
    for before, name in zip("abcdefghij", "bcdefghijk", strict=True)
)
TWICE = "nodes: [{name: a}]\nnodes: [{name: b}]\n"
MANY = {"nodes": [{"count": 1_000_000, "ports": [{"count": 1_000_000}]}]}


@pytest.mark.parametrize(
    ("text", "why"), [(DEEP, "200 levels"), (ALIASES, "1,000,000"), (TWICE, "there twice")]
)
def test_files_are_refused(tmp_path, capsys, text, why):
    file = tmp_path / "seed.yaml"
    file.write_text(text)
    with pytest.raises(SeedError, match=why):
        load(file)
    with pytest.raises(ValueError, match=why):
        accounts.read(str(file))
    assert ctl.main(["ctl", "--url", "http://127.0.0.1:1", "seed", "add", str(file)]) != 0
    assert why in capsys.readouterr().err


def test_entries_are_counted_together():
    with pytest.raises(SeedError, match="more than 1,000,000 entries in all"):
        read(MANY)
    with FakeServer() as server:
        answer = requests.post(f"{server.url}/_fake/seed", json=MANY, timeout=30)
    assert answer.status_code == 400
    assert "1,000,000" in answer.json()["error"]
