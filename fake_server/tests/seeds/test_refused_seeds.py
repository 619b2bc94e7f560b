"""What is wrong in a seed is named, and nothing of it is stored."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from fake_server.seeds.parsing import SeedError
from fake_server.server import FakeServer

LINES = Path(__file__).with_name("refused_seeds.txt").read_text("utf-8").splitlines()[1:]
# Values that YAML lacks, and long lists.
OTHERS = (
    ({"nodes": [{"extra": {"a": float("nan")}}]}, ".extra: has a value that JSON lacks"),
    ({"nodes": [{"description": "\udc80"}]}, "nodes[0].description: has characters"),
    ({"nodes": [{"traits": [f"CUSTOM_{n}" for n in range(51)]}]}, "nodes[0].traits: has 51"),
)


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
