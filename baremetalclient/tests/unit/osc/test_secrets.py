"""Commands print no secrets, unless these are asked for."""

import json

import pytest

from baremetalclient.tests.unit.scripted import Reply

TARGET = {
    "uuid": "t",
    "node_uuid": "1be26c0b-03f2-4d2e-ae87-c02d7f33c781",
    "boot_index": 0,
    "volume_id": "v",
    "volume_type": "iscsi",
    "properties": {"target_iqn": "iqn", "auth_password": "hunter22", "auth_username": "u"},
    "extra": {},
}


@pytest.mark.parametrize("form", ["table", "json", "yaml", "value", "shell", "csv"])
@pytest.mark.parametrize("show", [False, True])
def test_secrets_are_printed_only_when_they_are_asked_for(run, form, show):
    more = ["--show-secrets"] if show else []
    commands = {"show": ["t"], "list": ["--long"]}
    if form == "csv":
        del commands["show"]
    for verb, words in commands.items():
        response = {"targets": [TARGET]} if verb == "list" else TARGET
        words = ["volume", "target", verb, *words, "-f", form, *more]
        done = run(*words, script=(Reply(response),))
        assert (done.code, "hunter22" in done.out) == (0, show), done.err
        assert "target_iqn" in done.out
        assert ("******" in done.out) is not show


def test_what_the_server_has_masked_stays_as_it_is(run):
    node = {"uuid": "n", "driver_info": {"ipmi_password": "******", "ipmi_username": "root"}}
    done = run("node", "show", "n", "-f", "json", script=(Reply(node),))
    assert json.loads(done.out)["driver_info"] == node["driver_info"]


@pytest.mark.parametrize("kind", ["node", "driver"])
def test_responses_of_vendors_are_printed_without_secrets(run, kind):
    words = (kind, "passthru", "call", "n", "m", "--http-method", "GET")
    script = (Reply({"session_token": "hunter22", "a": 1}),)
    assert "hunter22" not in run(*words, script=script).out
    assert "hunter22" in run(*words, "--show-secrets", script=script).out


def test_a_new_resource_is_shown_without_its_secrets(run):
    words = f"volume target create --node {TARGET['node_uuid']} --type iscsi --volume-id v"
    done = run(*words.split(), "--boot-index", "0", script=(Reply(TARGET, 201),))
    assert (done.code, "hunter22" in done.out, "******" in done.out) == (0, False, True)


def test_an_inventory_is_saved_whole_and_printed_without_secrets(run, tmp_path):
    script = (Reply({"inventory": {"bmc_password": "hunter22"}}),)
    words = ("node", "inventory", "save", "n")
    assert "hunter22" not in run(*words, script=script).out
    assert "hunter22" in run(*words, "--show-secrets", script=script).out
    assert run(*words, "--file", str(tmp_path / "saved"), script=script).code == 0
    assert "hunter22" in (tmp_path / "saved").read_text("utf-8")
    assert run(*words, "--file", str(tmp_path), script=script).code == 1
