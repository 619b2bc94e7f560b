"""Files of labs: what they may say, and what is said of those that are wrong."""

from __future__ import annotations

import json
import os
import re
import sys

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
    place = "line 1: nodes[0].ports[0]"
    assert problem.startswith(f"{tmp_path}/b.json, {place}: address '52:54:00:00:00:aa'")
    assert f"is in {tmp_path}/a.yaml, line 1: nodes[0].ports[0] already" in problem


def test_a_folder_is_its_files_in_order_and_no_deeper(tmp_path, lab):
    for name in ("b.yml", "a.json", "c.txt"):
        (tmp_path / name).write_text(json.dumps({"nodes": [{**NODE, "name": name[0]}]}))
    (tmp_path / "deeper").mkdir()
    (tmp_path / "deeper" / "d.yaml").write_text("nodes: [{name: d, driver: d}]")
    found = declare.plan(lab.client, [tmp_path])
    assert [step.id for step in found.steps] == ["a", "b"]


def test_a_pipe_in_a_folder_is_not_waited_for(tmp_path):
    (tmp_path / "a.json").write_text(json.dumps({"nodes": [NODE]}))
    os.mkfifo(tmp_path / "b.yaml")
    with pytest.raises(
        exc.ValidationError, match=r"cannot read '.*/b.yaml': it is no regular file"
    ):
        read_lab(str(tmp_path))


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


def read(tmp_path, text, name="lab.yaml"):
    (tmp_path / name).write_text(text)
    return problems_of(str(tmp_path / name))


PORT = "nodes:\n- name: n\n  driver: d\n  ports:\n  - address: {}\n"
FIELD = "nodes:\n- name: n\n  driver: d\n  {}\n"


@pytest.mark.parametrize(
    ("address", "meant"),
    [
        ("52:54:00:12:34:56", "52:54:00:12:34:56"),
        ("5254000008e1", "52:54:00:00:08:e1"),
        ("525400000801", "52:54:00:00:08:01"),
        ("001122334455", "00:11:22:33:44:55"),
        ("52-54-00-00-08-e1", "52:54:00:00:08:e1"),
        ("5254.0000.08e1", "52:54:00:00:08:e1"),
    ],
)
def test_the_right_spelling_of_a_mac_address_is_told(tmp_path, address, meant):
    (problem,) = read(tmp_path, PORT.format(address))
    assert problem.startswith(f"{tmp_path}/lab.yaml, line 5: nodes[0].ports[0].address ")
    assert problem.endswith(f"'{meant}'")
    assert read_lab({"nodes": [{**NODE, "ports": [{"address": meant}]}]}).problems == {}


@pytest.mark.parametrize("number", [191129221206, 525400000801, 7])
def test_a_number_of_a_program_is_no_mac_address(number):
    (problem,) = problems_of({"nodes": [{**NODE, "ports": [{"address": number}]}]})
    assert problem.startswith(f"lab: nodes[0].ports[0].address is the number {number}, which is")
    quoted = {
        191129221206: " Quote it: '19:11:29:22:12:06'",
        525400000801: " Quote it: '52:54:00:00:08:01'",
        7: "",
    }
    assert problem.endswith(f"in YAML.{quoted[number]}")


@pytest.mark.parametrize(
    ("field", "place", "told"),
    [
        ("description: on", "description", "has to be text, not True. Quote it: 'on'"),
        ("description: 1.10", "description", "has to be text, not 1.1. Quote it: '1.10'"),
        (
            "extra: {at: 2024-01-02}",
            "extra.at",
            "is a date, which JSON lacks. Quote it: '2024-01-02'",
        ),
        (
            "extra: {rack: [0755]}",
            "extra.rack[0]",
            "is an octal number in YAML, 493. Quote it: '0755'",
        ),
        (
            "extra: {at: 12:30:00}",
            "extra.at",
            "is a number with the base 60 in YAML, 45000. Quote it: '12:30:00'",
        ),
        (
            "driver_info: {ipmi_password: 012345}",
            "driver_info.ipmi_password",
            "is an octal number in YAML. Quote it: ipmi_password: '…'",
        ),
        (
            "extra: {1: x}",
            "extra",
            "has a key that is no text: 1. Quote it: '1'",
        ),
        (
            "extra: {on: x}",
            "extra",
            "has a key that is no text: on. Quote it: 'on'",
        ),
        (
            "extra: {a: &a {b: 1}, c: {<<: *a, on: x}}",
            "extra.c",
            "has a key that is no text: on. Quote it: 'on'",
        ),
        ("on: x", None, "nodes[0] has a key that is no text: on. Quote it: 'on'"),
        ("extra: {a: .nan}", "extra.a", "is nan, which JSON lacks"),
        ("extra: {a: !!set {b}}", "extra.a", "is of the type set, which JSON lacks"),
    ],
)
def test_what_yaml_reads_otherwise_is_told_as_it_is_written(tmp_path, field, place, told):
    (problem,) = read(tmp_path, FIELD.format(field))
    line = 4 if place else 2
    where = f"nodes[0].{place} " if place else ""
    assert problem == f"{tmp_path}/lab.yaml, line {line}: {where}{told}"


def test_a_name_that_is_no_text(tmp_path):
    (problem,) = read(tmp_path, "nodes:\n- name: on\n  driver: d\n")
    assert problem == (
        f"{tmp_path}/lab.yaml, line 2: nodes[0].name has to be text, not True. Quote it: 'on'"
    )


def test_numbers_that_everybody_reads_alike_are_fine(tmp_path):
    (tmp_path / "lab.yaml").write_text(FIELD.format("extra: {a: 0, b: -12, c: 0x1f, d: 1.5}"))
    (node,) = read_lab(str(tmp_path / "lab.yaml")).all("nodes")
    assert node.fields["extra"] == {"a": 0, "b": -12, "c": 31, "d": 1.5}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("nodes: []\n---\nnodes: []\n", "several documents: .* in line 2"),
        ("nodes: []\n---\n", "several documents: .* leave out the '---' in line 2"),
        ("nodes:\n- x: " + "[" * 5000 + "]" * 5000, "nested more than 200 levels deep in line 2"),
        ('{"nodes": ' + "[" * 5000 + "]" * 5000 + "}", "nested more than 200 levels deep in line"),
    ],
)
def test_documents_that_are_not_accepted(tmp_path, text, told):
    (problem,) = read(tmp_path, text)
    assert problem.startswith(f"{tmp_path}/lab.yaml is not accepted: it ")
    assert re.search(told, problem)
    assert "neither JSON nor YAML" not in problem


@pytest.mark.parametrize("key", ["nodes", "deploy_templates"])
def test_a_list_without_a_value(tmp_path, key):
    (problem,) = read(tmp_path, f"# empty\n{key}:\n")
    assert problem == (
        f"{tmp_path}/lab.yaml, line 2: {key} has no value; it has to be a list of objects"
    )


def test_lines_are_those_of_the_entry_though_it_stands_for_many(tmp_path):
    text = (
        "nodes:\n- name: a\n  driver: d\n- name: 'n{index}'\n  count: 2\n  driver: d\n  colour: 1\n"
    )
    (problem,) = read(tmp_path, text)
    assert problem.startswith(f"{tmp_path}/lab.yaml, line 7: nodes[1].colour is unknown.")


def calls_to_refuse(text, tmp_path):
    """Return how many functions are called until a file is refused."""
    (tmp_path / "lab.yaml").write_text(text)
    called = 0

    def count(_frame, event, _function):
        nonlocal called
        called += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        with pytest.raises(exc.ValidationError):
            read_lab(str(tmp_path / "lab.yaml"))
    finally:
        sys.setprofile(before)
    return called


@pytest.mark.parametrize(
    ("start", "line"),
    [
        ("", "key{}: 1\n"),
        (FIELD.format("count: 1"), "  key{}: 1\n"),
        (FIELD.format("extra:"), "    {}: x\n"),
        (FIELD.format("extra:"), "    key{}: 0755\n"),
        (FIELD.format("ports:"), "  - {{address: x{}, colour: red}}\n"),
    ],
)
def test_many_problems_take_time_in_proportion(tmp_path, start, line):
    few, many = (start + "".join(map(line.format, range(size))) for size in (20, 80))
    calls_to_refuse(few, tmp_path)
    assert calls_to_refuse(many, tmp_path) < 5 * calls_to_refuse(few, tmp_path)


def test_of_many_problems_the_first_are_told_and_how_many_there_are(tmp_path):
    told = read(tmp_path, "".join(f"key{number}: 1\n" for number in range(1250)))
    assert len(told) == 51
    assert told[49].startswith(f"{tmp_path}/lab.yaml, line 50: key49 is unknown. Known lists: ")
    assert told[50] == "and 1,200 more"


def test_a_problem_of_a_node_with_a_count_is_one_problem():
    node = {**NODE, "count": 100} | {f"key{number}": 1 for number in range(60)}
    assert problems_of({"nodes": [node]})[50:] == ["and 10 more"]


def test_a_long_value_is_told_in_part():
    (problem,) = problems_of({"nodes": [{**NODE, "name": ["x"] * 1000}]})
    assert problem.startswith("lab: nodes[0].name has to be text, not ['x', 'x', ")
    assert len(problem) < 1100
