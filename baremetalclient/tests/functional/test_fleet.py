"""Many nodes: selections, and verbs for all that are selected."""

from __future__ import annotations

from uuid import uuid4

import pytest

from baremetalclient.tests.functional.cli import BOTH_PROGRAMS


@pytest.fixture
def fleet(client, make_node):
    """The prefix of the names of five nodes; three of them in class gold, with a trait."""
    prefix = f"fleet-{uuid4().hex[:8]}"
    for number in range(5):
        node = make_node(
            name=f"{prefix}-{number}",
            resource_class="gold" if number < 3 else "silver",
        )
        client.node.update(node.uuid, [{"op": "add", "path": "/owner", "value": prefix}])
        if number < 3:
            client.node.add_trait(node.uuid, "CUSTOM_FLEET")
    client.node.set_maintenance(f"{prefix}-4", True)
    return prefix


SELECTIONS = [
    ("", "01234"),
    (",resource-class=gold", "012"),
    (",state=enroll,!maintenance", "0123"),
    (",trait=CUSTOM_FLEET", "012"),
    (",trait!~=CUSTOM_.*", "34"),
    (",driver=fake-hardware,conductor-group=", "01234"),
    (",conductor!=", "01234"),
    (",chassis=", "01234"),
    (",shard=,lessee=,fault=,instance=,parent-node=", "01234"),
    (",chassis=11111111-1111-4111-8111-111111111111", ""),
    (",name~=.*-[13]", "13"),
]
"""Terms beside that of the owner, and the numbers of the nodes that they select."""


def test_selections(client, fleet):
    expected = {terms: [f"{fleet}-{number}" for number in numbers] for terms, numbers in SELECTIONS}
    found = {terms: client.node.select(f"owner={fleet}{terms}") for terms in expected}
    assert {terms: [node.name for node in nodes] for terms, nodes in found.items()} == expected
    names = [f"{fleet}-0", f"{fleet}-4"]
    either = client.node.select(*(f"name={name}" for name in names))
    assert [node.name for node in either] == names


def test_each_kind_of_action(client, fleet):
    nodes = [f"{fleet}-{number}" for number in range(3)]

    def done(verb, **arguments):
        results = list(client.node.act_on([*nodes, f"absent-{fleet}"], verb, **arguments))
        failed = [one for one in results if one.error]
        assert [(one.name, one.result) for one in failed] == [(f"absent-{fleet}", "failed")]
        return {one.state for one in results if not one.error}

    assert done("manage", wait=True, timeout=60) == {"manageable"}
    done("power on", wait=True, timeout=60)
    assert {client.node.get(node).power_state for node in nodes} == {"power on"}
    done("maintenance set", maint_reason="test")
    done("trait add", trait="CUSTOM_MORE")
    done("set", patch=[{"op": "add", "path": "/description", "value": "fleet"}])
    assert {client.node.get(node).description for node in nodes} == {"fleet"}
    assert len(client.node.select(f"owner={fleet},trait=CUSTOM_MORE")) == 3
    (refused,) = client.node.act_on(nodes[0], "unrescue", wait=True)
    assert refused.result == "failed"
    assert "unrescue" in refused.error
    nodes.remove(f"{fleet}-2")
    done("delete", wait=True, timeout=60)
    left = [node.name for node in client.node.select(f"owner={fleet}")]
    assert left == [f"{fleet}-{number}" for number in (2, 3, 4)]


@BOTH_PROGRAMS
def test_verbs_for_a_selection(cli, fleet):
    selected = ("--select", f"owner={fleet},!maintenance")
    report = cli("node", "manage", *selected, "--wait", "60", "-f", "json").json
    assert report["verb"] == "node manage"
    assert report["counts"] == {"done": 4, "failed": 0, "timeout": 0, "skipped": 0}
    assert [one["name"] for one in report["nodes"]] == [f"{fleet}-{n}" for n in range(4)]
    assert {one["state"] for one in report["nodes"]} == {"manageable"}
    cli("node", "trait", "add", *selected, "CUSTOM_A", "CUSTOM_B", "--parallel", "1")
    found = cli("node", "trait", "list", f"{fleet}-3", "-f", "value").out.split()
    assert found == ["CUSTOM_A", "CUSTOM_B"]
    assert "--yes" in cli.fails("node", "power", "off", *selected).err
    cli("node", "power", "off", *selected, "--yes", "--wait", "60")
    gone = cli("node", "delete", "--select", f"owner={fleet}", "--yes")
    assert gone.out.count("Deleted node") == 5
    assert "nothing to do" in cli("node", "delete", "--select", f"owner={fleet}").err
