"""``baremetal lab graph``: a lab in the languages of Graphviz and Mermaid."""

from __future__ import annotations

import json
import shutil
import subprocess

import pytest

from baremetalclient.declare.graph import dot, graph_of, mermaid
from baremetalclient.declare.lab import read_lab
from baremetalclient.tests.unit.osc.everything import run_here
from fake_server.server import FakeServer

ODD = 'a "quoted\\" <b>name</b> `x` & #35; ü\nnext;'
HOSTILE = "\x1b[2J\u202ex"
UUID = "11111111-1111-4111-8111-111111111111"
GROUPED = {"address": "52:54:00:00:00:01", "portgroup": "bond", "physical_network": ODD}
LAB = {
    "chassis": [{"description": ODD, "uuid": UUID}],
    "nodes": [
        {
            "name": "n-1",
            "driver": "fake-hardware",
            "chassis_uuid": UUID,
            "provision_state": "active",
            "vifs": ["vif-1"],
            "portgroups": [{"name": "bond", "address": "52:54:00:00:00:0f"}],
            "ports": [GROUPED, {"address": "52:54:00:00:00:02", "physical_network": ODD}],
            "volume_connectors": [{"type": "iqn", "connector_id": ODD}],
            "volume_targets": [{"volume_type": "iscsi", "volume_id": ODD, "boot_index": 0}],
        },
        {"name": "n-2", "driver": "fake-hardware"},
    ],
}
DOT = r"""graph lab {
    rankdir=LR;
    v1 [shape=box, label="n-1\nactive"];
    v2 [shape=hexagon, label="bond"];
    v3 [shape=ellipse, label="52:54:00:00:00:01"];
    v1 -- v2;
    v2 -- v3;
}
"""
MERMAID = """flowchart LR
    v1["n-1<br>active"]
    v2{{"bond"}}
    v3("52:54:00:00:00:01")
    v1 --- v2
    v2 --- v3
"""


def parts(graph):
    """Return the kinds of the vertices, and between which labels there are edges."""
    labels = {name: " ".join(label) for name, (_, label) in graph.vertices.items()}
    kinds = sorted(kind for kind, _ in graph.vertices.values())
    return kinds, {(labels[one], labels[other]) for one, other in graph.edges}


def test_what_is_connected():
    kinds, edges = parts(graph_of(read_lab(LAB)))
    assert kinds == [
        *("chassis", "network", "network", "node", "node", "port", "port", "portgroup"),
        *("volume_connector", "volume_target"),
    ]
    network, node = f"physical network {ODD}", "n-1 active"
    assert edges == {
        (ODD, node),
        (node, "bond"),
        ("bond", "52:54:00:00:00:01"),
        (node, "52:54:00:00:00:02"),
        ("52:54:00:00:00:01", network),
        ("52:54:00:00:00:02", network),
        (node, f"iqn {ODD}"),
        (node, f"boot index 0 iscsi {ODD}"),
        (node, "VIF vif-1"),
    }


def test_a_nested_lab_is_the_same():
    chassis, (node, other) = dict(LAB["chassis"][0]), LAB["nodes"]
    group = {**node["portgroups"][0], "ports": [{**GROUPED, "portgroup": None}]}
    del group["ports"][0]["portgroup"]
    nested = {**node, "portgroups": [group], "ports": node["ports"][1:]}
    del nested["chassis_uuid"]
    lab = {"chassis": [{**chassis, "nodes": [nested]}], "nodes": [other]}
    assert parts(graph_of(read_lab(lab))) == parts(graph_of(read_lab(LAB)))


def test_the_languages(tmp_path, capsys):
    path = tmp_path / "lab.json"
    port = {"address": "52:54:00:00:00:01", "portgroup": "bond"}
    node = {"name": "n-1", "driver": "fake-hardware", "provision_state": "active"}
    lab = {"nodes": [{**node, "portgroups": [{"name": "bond"}], "ports": [port]}]}
    path.write_text(json.dumps(lab))
    assert run_here(["lab", "graph", str(path)], capsys) == (0, DOT, "")
    assert run_here(["lab", "graph", str(path), "--format", "mermaid"], capsys)[1] == MERMAID
    written = tmp_path / "lab.dot"
    assert run_here(["lab", "graph", str(path), "--output", str(written)], capsys) == (0, "", "")
    assert written.read_text() == DOT


def test_odd_names_are_quoted():
    graph = graph_of(read_lab(LAB))
    quoted = r"iqn a \"quoted\\\" <b>name</b> `x` & #35; ü\nnext;"
    assert f'label="{quoted}"' in dot(graph)
    text = mermaid(graph)
    assert (
        "iqn a #34;quoted#92;#34; #60;b#62;name#60;/b#62; #96;x#96; #38; #35;35#59; ü<br>next#59;"
        in text
    )
    assert all(line.count('"') in (0, 2) for line in text.splitlines())


def test_names_that_control_a_terminal_are_shown_as_text():
    graph = graph_of(read_lab({"chassis": [{"uuid": UUID, "description": HOSTILE}]}))
    assert r'label="\\x1b[2J\\u202ex"' in dot(graph)
    assert '"#92;x1b[2J#92;u202ex"' in mermaid(graph)


def test_graphviz_reads_it():
    program = shutil.which("dot")
    if program is None:
        pytest.skip("NOT TESTED: graphviz is missing")
    text = dot(graph_of(read_lab(LAB)))
    done = subprocess.run(
        [program, "-Tplain"], input=text, capture_output=True, text=True, check=True, timeout=20
    )
    kinds = [line.split()[0] for line in done.stdout.splitlines()]
    assert (kinds.count("node"), kinds.count("edge"), done.stderr) == (10, 9, "")


def test_the_lab_of_a_server(capsys):
    nodes = [{"name": "n-1", "ports": [{"address": "52:54:00:00:00:01"}]}, {"name": "n-2"}]
    with FakeServer(seed={"nodes": nodes}) as server:
        graph = ["--os-endpoint", server.url, "lab", "graph"]
        everything = run_here([*graph, "--all"], capsys)[1]
        assert everything.count("shape=box") == 2
        assert 'label="52:54:00:00:00:01"' in everything
        selected = run_here([*graph, "--select", "name=n-2"], capsys)[1]
        assert selected.count("shape=") == selected.count('label="n-2\\nenroll"') == 1


@pytest.mark.parametrize("words", [(), ("lab.yaml", "--all"), ("--all", "--select", "name=x")])
def test_one_source_is_needed(words, capsys):
    code, _, err = run_here(["lab", "graph", *words], capsys)
    assert code == 2
    assert "Give files, --select or --all." in err


def test_a_selection_is_checked_before_anything_is_sent(capsys):
    words = ["--os-endpoint", "http://127.0.0.1:1", "lab", "graph", "--select", "state=actve"]
    code, _, err = run_here(words, capsys)
    assert code == 2
    assert "Did you mean 'active'?" in err
