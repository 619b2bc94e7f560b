"""What is wrong in a seed is named, and nothing is stored; endless labs are refused at once."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import requests
import yaml

from fake_server.cli import ctl
from fake_server.common import yaml_loader
from fake_server.identity import accounts
from fake_server.seeds.parsing import SeedError, load, read
from fake_server.server import FakeServer

LINES = Path(__file__).with_name("refused_seeds.txt").read_text("utf-8").splitlines()[1:]
# Values that YAML lacks, and long lists.
OTHERS = (
    ({"nodes": [{"extra": {"a": float("nan")}}]}, ".extra: has a value that JSON lacks"),
    ({"nodes": [{"description": "\udc80"}]}, "nodes[0].description: has characters"),
    ({"nodes": [{"traits": [f"CUSTOM_{n}" for n in range(51)]}]}, "nodes[0].traits: has 51"),
)

#: Small files that stand for endless labs, and one with a key twice.
DEEP = "[" * 300
ALIASES = "a: &a [x, x]\n" + "".join(
    f"{name}: &{name} [{', '.join([f'*{before}'] * 9)}]\n"
    for before, name in zip("abcdefghij", "bcdefghijk", strict=True)
)
TWICE = "nodes: [{name: a}]\nnodes: [{name: b}]\n"
MANY = {"nodes": [{"count": 1_000_000, "ports": [{"count": 1_000_000}]}]}


def test_wrong_seeds_are_refused():
    listed = zip(map(yaml.safe_load, LINES[::2]), map(str.strip, LINES[1::2]), strict=True)
    problems = []
    server = FakeServer()
    for seed, place in (*listed, *OTHERS):
        with pytest.raises(SeedError) as caught:
            server.seed({"projects": [{"name": "p"}], "images": [{"name": "i"}], **seed})
        if place not in str(caught.value) or server.export_seed() != {}:
            problems.append(f"{seed}: {caught.value}")
    server.stop()
    assert problems == []
    assert len(LINES) >= 140


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


def test_only_json_may_have_very_many_values(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(yaml_loader, "MOST_VALUES", 1000)
    seed = {"nodes": [{"name": "n", "extra": {"a": [1] * 1000}}]}
    for name, told in (("seed.yaml", "more than 1,000 values"), ("seed.json", "127.0.0.1")):
        file = tmp_path / name
        file.write_text(json.dumps(seed))
        assert ctl.main(["ctl", "--url", "http://127.0.0.1:1", "seed", "add", str(file)]) != 0
        assert told in capsys.readouterr().err
    assert load(file) == seed
    with pytest.raises(SeedError, match="more than 1,000 values, which only files of JSON may"):
        load(file.rename(file.with_suffix(".yaml")))


def test_a_file_of_json_that_is_none_is_told(tmp_path, capsys):
    file = tmp_path / "seed.json"
    file.write_text("{nodes: []}")
    assert ctl.main(["ctl", "--url", "http://127.0.0.1:1", "seed", "add", str(file)]) != 0
    assert f"{file}: " in capsys.readouterr().err


def test_long_values_are_told_in_part():
    for seed in ({"x" * 10**6: []}, {"nodes": [{"name": ["x"] * 10**5}]}, {"nodes": "x" * 10**6}):
        with pytest.raises(SeedError) as caught:
            read(seed)
        assert len(str(caught.value)) < 1100


def test_entries_are_counted_together():
    with pytest.raises(SeedError, match="more than 1,000,000 entries in all"):
        read(MANY)
    with FakeServer() as server:
        answer = requests.post(f"{server.url}/_fake/seed", json=MANY, timeout=30)
    assert answer.status_code == 400
    assert "1,000,000" in answer.json()["error"]
