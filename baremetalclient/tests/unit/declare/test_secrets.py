"""Secrets are where they are meant to be, and nowhere else."""

from __future__ import annotations

import json
import logging

import pytest

from baremetalclient import declare, exc
from baremetalclient.declare import compare
from baremetalclient.declare.secrets import Reference, Secret, SecretError, holds_secret, resolved

WORD = 'hunter"22'


def lab_with(reference, **more):
    return {
        "nodes": [
            {
                "name": "n",
                "driver": "fake-hardware",
                "driver_info": {"ipmi_password": reference},
                "extra": {"plain": reference, **more},
            }
        ]
    }


@pytest.fixture
def references(tmp_path, monkeypatch):
    """What stands for the same secret in a file of this folder."""
    monkeypatch.setenv("WORD", WORD)
    (tmp_path / "word").write_text(f"{WORD}\n")
    return ("env:WORD", "file:word", f"cmd:printf '%s' '{WORD}'")


def test_secrets_come_from_variables_files_and_commands(lab, references, tmp_path):
    for number, reference in enumerate(references):
        path = tmp_path / f"{number}.json"
        path.write_text(json.dumps(lab_with({"!secret": reference})))
        declare.plan(lab.client, path, allow_secrets=["cmd:printf *"]).apply()
        assert lab.client.node.get("n").extra == {"plain": WORD}
        lab.client.node.delete("n")


def test_secrets_in_yaml(lab, references, tmp_path):
    path = tmp_path / "lab.yaml"
    path.write_text("nodes:\n- {name: n, driver: fake-hardware, extra: {a: !secret env:WORD}}\n")
    declare.plan(lab.client, path).apply()
    assert lab.client.node.get("n").extra == {"a": WORD}


@pytest.mark.parametrize(
    ("reference", "message"),
    [
        ("env:NO_SUCH_VARIABLE", "the environment has no variable NO_SUCH_VARIABLE"),
        ("file:nowhere", "cannot read 'nowhere'"),
        ("cmd:true", r"!secret cmd:true is a command. To allow it: --allow-secrets cmd:true$"),
        ("env:OS_PASSWORD", "is a setting of the client. To allow it: --allow-secrets env:OS_PASS"),
        (
            "file:/etc/../etc/hosts",
            "outside the folder .* To allow it: --allow-secrets file:/etc/ho",
        ),
        ("file:../hosts", "is outside the folder of the file"),
        ("vault:x", "is not a reference to a secret"),
        (1, "is not a reference to a secret"),
    ],
)
def test_a_secret_that_cannot_be_had(lab, reference, message):
    with pytest.raises(exc.ValidationError, match=message) as caught:
        declare.plan(lab.client, lab_with({"!secret": reference}))
    assert "lab: nodes[0].driver_info.ipmi_password: " in str(caught.value)
    assert lab.server.requests.find() == []


def test_a_link_and_a_pattern_lead_to_no_other_file(tmp_path):
    inside = tmp_path / "lab"
    inside.mkdir()
    (tmp_path / "other").write_text(WORD)
    (inside / "link").symlink_to(tmp_path / "other")
    outside = Reference("file:link")
    with pytest.raises(SecretError, match="outside the folder"):
        resolved(outside, inside, [f"file:{inside}/*"])
    assert resolved(outside, inside, [f"file:{tmp_path}/*"]) == WORD


def test_a_command_that_fails_says_nothing_of_its_output(lab):
    reference = {"!secret": "cmd:sh -c 'echo hunter22; exit 3'"}
    with pytest.raises(exc.ValidationError, match="exit code 3") as caught:
        declare.plan(lab.client, lab_with(reference), allow_secrets=["cmd:*"])
    assert caught.value.__cause__ is None


def test_secrets_are_in_no_step_and_no_log(lab, references, caplog):
    caplog.set_level(logging.DEBUG)
    plan = declare.plan(lab.client, lab_with({"!secret": references[0]}, snmp_community="public2"))
    (step,) = plan.steps
    hidden = {"old": None, "new": "******"}
    assert step.fields["driver_info/ipmi_password"] == hidden
    assert step.fields["extra/plain"] == hidden
    assert step.fields["extra/snmp_community"] == hidden
    plan.apply()
    lab.client.node.update("n", [{"op": "add", "path": "/extra/plain", "value": "other"}])
    (step,) = declare.plan(lab.client, lab_with({"!secret": references[0]})).steps
    assert step.fields == {"extra/plain": {"old": "******", "new": "******"}}
    for word in (WORD, json.dumps(WORD)[1:-1], "public2"):
        assert word not in caplog.text
        assert word not in repr(plan.steps)


def test_a_secret_does_not_show_itself():
    assert "hunter22" not in repr({"a": Secret("hunter22")})


def test_the_error_of_a_server_that_quotes_a_secret_is_masked(lab, references):
    wanted = lab_with({"!secret": references[0]})
    wanted["nodes"][0]["chassis_uuid"] = "00000000-0000-4000-8000-000000000001"
    wanted["nodes"][0]["description"] = {"!secret": references[0]}
    (result,) = declare.plan(lab.client, wanted).apply()
    assert result.result == "failed"
    assert WORD not in repr(result)


def test_masked_secrets_count_as_equal_unless_they_are_refreshed(lab):
    first, second = lab_with("hunter22"), lab_with("hunter22")
    second["nodes"][0]["driver_info"]["ipmi_password"] = "other"
    declare.plan(lab.client, first).apply()
    assert declare.plan(lab.client, second).steps == []
    plan = declare.plan(lab.client, second, refresh_secrets=True)
    lab.writes()
    assert [one.result for one in plan.apply()] == ["done"]
    node = lab.client.node.get("n").uuid
    assert lab.writes() == [("PATCH", f"/v1/nodes/{node}")]
    seed = lab.server.export_seed()
    assert seed["nodes"][0]["driver_info"] == {"ipmi_password": "other"}


# It is masked everywhere from now on, so it has to be one that no other test looks for.
HIDDEN = "hidden-from-here-on"


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (Secret(HIDDEN), True),
        ("text", False),
        ({"a": {"b": Secret(HIDDEN)}}, True),
        ([1, [{"a": Secret(HIDDEN)}]], True),
        ({"a": ["b", None, 1]}, False),
        ({}, False),
    ],
)
def test_a_secret_is_found_however_deep(value, expected):
    assert holds_secret(value) is expected


@pytest.mark.parametrize(
    "shown",
    [
        {"content": "** Redacted - requires baremetal:node:get:driver_info permission. **"},
        {"redacted_contents": "** Value redacted: Requires permission to view them. **"},
    ],
)
def test_what_the_user_may_not_see_counts_as_the_same(shown):
    wanted = {("driver_info", "ipmi_address"): "h", ("driver_info",): {}, ("owner",): "o"}
    found = compare.differences(wanted, {"driver_info": shown, "owner": None})
    assert found == {("owner",): (None, "o")}
    values = {**shown, "ipmi_address": "other"}
    assert ("driver_info", "ipmi_address") in compare.differences(wanted, {"driver_info": values})


def test_text_gives_way_to_an_object():
    found = compare.differences({("extra", "a"): {"b": 1}}, {"extra": {"a": "text"}})
    assert found == {("extra", "a"): ("text", {"b": 1})}
