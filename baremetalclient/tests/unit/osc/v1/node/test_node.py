from __future__ import annotations

import json

import pytest

from baremetalclient.tests.unit.scripted import Reply

OK = Reply(status=204)


def test_traits_to_list_by(run):
    words = ("node", "list", "--trait", "CUSTOM_A", "--trait", "CUSTOM_B", "--not-trait")
    more = ("CUSTOM_C", "--trait-any", "CUSTOM_D", "CUSTOM_E", "--not-trait-any", "CUSTOM_F")
    done = run(*words, *more, script=(Reply({"nodes": []}),))
    assert done.requests[0].query == {
        "traits": "CUSTOM_A,CUSTOM_B",
        "not-traits": "CUSTOM_C",
        "traits-any": "CUSTOM_D,CUSTOM_E",
        "not-traits-any": "CUSTOM_F",
    }


def test_filters(run):
    done = run(
        *("node", "list", "--no-maintenance", "--unassociated", "--shards", "a", "b"),
        *("--conductor-group", "", "--include-children", "--long"),
        script=(Reply({"nodes": []}),),
    )
    query = done.requests[0].query
    assert query["maintenance"] == "False"
    assert query["associated"] == "False"
    assert query["shard"] == "a,b"
    assert query["include_children"] == "True"
    assert done.requests[0].path == "/v1/nodes/detail"


def test_create(run):
    done = run(
        *("node", "create", "--driver", "fake-hardware", "--name", "rack-1"),
        *("--property", "cpus=8", "--driver-info", 'address:="10"', "--no-automated-clean"),
        *("--network-interface", "flat", "--network-data", '{"links": []}', "-f", "json"),
        script=(Reply({"uuid": "x", "name": "rack-1", "links": [], "ports": []}, 201),),
    )
    assert done.requests[0].json == {
        "driver": "fake-hardware",
        "name": "rack-1",
        "properties": {"cpus": 8},
        "driver_info": {"address": "10"},
        "automated_clean": False,
        "network_interface": "flat",
        "network_data": {"links": []},
    }
    assert json.loads(done.out) == {"chassis_uuid": "", "uuid": "x", "name": "rack-1"}


def test_the_network_provider_of_the_specification(run):
    done = run("node", "set", "a", "--network-provider", "neutron", script=(Reply({}),))
    assert done.requests[0].json == [{"op": "add", "path": "/network_provider", "value": "neutron"}]
    done = run("node", "unset", "a", "--network-provider", script=(Reply({}),))
    assert done.requests[0].json == [{"op": "remove", "path": "/network_provider"}]


def test_set(run):
    done = run(
        *("node", "set", "a", "--reset-boot-interface", "--protected", "--enable-power-off"),
        *("--instance-info", "image=@@x", "--name", "b"),
        script=(Reply({}),),
    )
    assert {json.dumps(operation) for operation in done.requests[0].json} == {
        '{"op": "remove", "path": "/boot_interface"}',
        '{"op": "add", "path": "/protected", "value": true}',
        '{"op": "add", "path": "/disable_power_off", "value": false}',
        '{"op": "add", "path": "/instance_info/image", "value": "@x"}',
        '{"op": "add", "path": "/name", "value": "b"}',
    }


def test_the_raid_configuration_is_set_before_the_name_changes(run):
    words = ("node", "set", "a", "--name", "b", "--target-raid-config", '{"logical_disks": []}')
    done = run(*words, script=(OK, Reply({})))
    assert [request.path for request in done.requests] == [
        "/v1/nodes/a/states/raid",
        "/v1/nodes/a",
    ]


@pytest.mark.parametrize(
    "words",
    [("a", "b", "--name", "x"), ("a", "b", "--instance-uuid", "x"), ("a", "--reset-interfaces")],
)
def test_contradicting_options_change_nothing(run, words):
    done = run("node", "set", *words)
    assert done.code == 1
    assert done.requests == []


def test_an_unknown_instance_is_named(run):
    script = (Reply({"nodes": []}),)
    done = run("node", "show", "--instance", "4f9b1bdd-5a08-4b8d-a2b8-e5a5a25bb1e1", script=script)
    assert done.code == 1
    assert "4f9b1bdd-5a08-4b8d-a2b8-e5a5a25bb1e1" in done.err


def test_words_after_two_dashes_are_names(run):
    done = run("node", "power", "on", "--", "--all")
    assert [request.path for request in done.requests] == ["/v1/nodes/--all/states/power"]
