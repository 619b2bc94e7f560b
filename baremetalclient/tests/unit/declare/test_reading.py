"""Files of labs: what they may say, and what is said of those that are wrong."""

from __future__ import annotations

import json

import pytest

from baremetalclient import declare, exc
from baremetalclient.declare.lab import read_lab

NODE = {"name": "n", "driver": "fake-hardware"}
UUID = "00000000-0000-4000-8000-000000000001"


def problems_of(lab):
    with pytest.raises(exc.ValidationError) as caught:
        read_lab(lab)
    return str(caught.value).splitlines()


@pytest.mark.parametrize(
    ("lab", "problem"),
    [
        ({"ports": []}, "lab: ports is unknown. Known lists: chassis, nodes, "),
        ({"nodes": {}}, None),
        ({"nodes": [1]}, "lab: nodes has to be a list of objects"),
        ({"nodes": [{"driver": "d"}]}, "lab: nodes[0] needs uuid or name"),
        ({"nodes": [{**NODE, "name": "a b"}]}, "lab: nodes[0].name cannot be 'a b'"),
        ({"nodes": [{**NODE, "name": UUID}]}, "lab: nodes[0].name cannot be"),
        (
            {"nodes": [{**NODE, "provision_state": "cleaning"}]},
            "lab: nodes[0].provision_state cannot be 'cleaning': use one of enroll, manageable, ",
        ),
        (
            {"nodes": [{**NODE, "ports": [{"uuid": UUID, "portgroup": "g"}]}]},
            "lab: nodes[0].ports[0].portgroup is 'g', but the node has no such port group",
        ),
        (
            {"nodes": [{**NODE, "name": "n{index}-{idx}", "count": 1}]},
            "lab: nodes[0].name has the unknown pattern {idx}",
        ),
        (
            {"nodes": [{**NODE, "description": "{index}"}]},
            "lab: nodes[0].description has the unknown pattern {index}",
        ),
        ({"nodes": [{**NODE, "count": -1}]}, "lab: nodes[0]: count and start have to be integers"),
        ({"nodes": [NODE, NODE]}, "lab: nodes[1]: name 'n' is in lab: nodes[0] already"),
        ({"nodes": [{**NODE, "count": 2}]}, "lab: nodes[0]: name 'n' is in lab: nodes[0] already"),
    ],
)
def test_what_is_wrong_is_told_with_its_place(lab, problem):
    if problem is None:
        assert read_lab(lab).problems == {}
    else:
        assert any(line.startswith(problem) for line in problems_of(lab)), problems_of(lab)


def test_mac_addresses_are_unique_in_all_files_whatever_their_case(tmp_path):
    for name, address in (("a.yaml", "52:54:00:00:00:AA"), ("b.json", "52:54:00:00:00:aa")):
        port = {"address": address}
        node = {"name": name[0], "driver": "d", "ports": [port]}
        (tmp_path / name).write_text(json.dumps({"nodes": [node]}))
    (problem,) = problems_of(str(tmp_path))
    assert problem.startswith(f"{tmp_path}/b.json: nodes[0].ports[0]: address '52:54:00:00:00:aa'")
    assert f"is in {tmp_path}/a.yaml: nodes[0].ports[0] already" in problem


def test_a_folder_is_its_files_in_order_and_no_deeper(tmp_path, lab):
    for name in ("b.yml", "a.json", "c.txt"):
        (tmp_path / name).write_text(json.dumps({"nodes": [{**NODE, "name": name[0]}]}))
    (tmp_path / "deeper").mkdir()
    (tmp_path / "deeper" / "d.yaml").write_text("nodes: [{name: d, driver: d}]")
    found = declare.plan(lab.client, [tmp_path])
    assert [step.id for step in found.steps] == ["a", "b"]


def test_what_only_a_seed_can_say_is_left_out():
    nodes = [{**NODE, "last_error": "e", "machine": {}, "clean_step": {}, "history": []}]
    found = read_lab({"nodes": nodes, "networks": [{}], "servers": []})
    assert found.left_out == [
        *("last_error of nodes", "machine of nodes", "clean_step of nodes", "history of nodes"),
        "networks",
    ]


def test_entries_with_a_count(lab):
    port = {"address": "52:54:0{number}:{index:mac}", "count": 2}
    nodes = [{**NODE, "name": "n{index:02d}", "count": 2, "start": 1, "ports": [port]}]
    steps = declare.plan(lab.client, {"nodes": nodes}).steps
    assert [(step.id, step.node) for step in steps] == [
        ("n01", "n01"),
        ("52:54:00:00:00:01", "n01"),
        ("52:54:01:00:00:01", "n01"),
        ("n02", "n02"),
        ("52:54:00:00:00:02", "n02"),
        ("52:54:01:00:00:02", "n02"),
    ]


def test_nothing_is_sent_for_a_lab_that_is_wrong(lab):
    with pytest.raises(exc.ValidationError):
        declare.plan(lab.client, {"nodes": [{}]})
    assert lab.server.requests.find() == []
