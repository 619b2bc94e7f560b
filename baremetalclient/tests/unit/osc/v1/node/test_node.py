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


def test_the_raid_configuration_is_set_before_the_name_changes(run):
    words = ("node", "set", "a", "--name", "b", "--target-raid-config", '{"logical_disks": []}')
    done = run(*words, script=(OK, Reply({})))
    assert [request.path for request in done.requests] == [
        "/v1/nodes/a/states/raid",
        "/v1/nodes/a",
    ]


def test_words_after_two_dashes_are_names(run):
    done = run("node", "power", "on", "--", "--all")
    assert [request.path for request in done.requests] == ["/v1/nodes/--all/states/power"]


def test_the_network_provider_of_the_specification(run):
    done = run("node", "set", "a", "--network-provider", "neutron", script=(Reply({}),))
    assert done.requests[0].json == [{"op": "add", "path": "/network_provider", "value": "neutron"}]
    done = run("node", "unset", "a", "--network-provider", script=(Reply({}),))
    assert done.requests[0].json == [{"op": "remove", "path": "/network_provider"}]


def test_validate(run):
    result = {"power": {"result": False, "reason": "no address"}, "boot": {"result": True}}
    done = run("node", "validate", "a", "-f", "json", script=(Reply(result),))
    assert json.loads(done.out) == [
        {"Interface": "boot", "Result": True, "Reason": ""},
        {"Interface": "power", "Result": False, "Reason": "no address"},
    ]


@pytest.mark.parametrize(
    ("response", "printed"), [(True, "true\n"), ([1], "[1]\n"), ({"a": 1}, '{"a": 1}\n')]
)
def test_a_vendor_method_may_return_anything(run, response, printed):
    words = ("node", "passthru", "call", "a", "m", "--arg", "k=1")
    done = run(*words, script=(Reply(response),))
    assert (done.code, done.out) == (0, printed)
    assert done.requests[0].json == {"k": 1}


def test_vendor_methods_are_listed_as_python_ironicclient_does(run):
    methods = {"m": {"http_methods": ["POST", "PUT"], "async": True, "attach": False}}
    done = run("node", "passthru", "list", "a", "-f", "csv", script=(Reply(methods),))
    assert done.out == (
        '"Name","Supported HTTP methods","Async","Description","Response is attachment"\n'
        '"m","POST, PUT",True,"",False\n'
    )
    done = run("driver", "passthru", "list", "d", "-f", "json", script=(Reply(methods),))
    assert list(json.loads(done.out)[0]) == [
        "name",
        "http_methods",
        "async",
        "description",
        "attach",
    ]


def test_boot_devices(run):
    script = (Reply({"supported_boot_devices": ["pxe", "disk"]}),)
    done = run("node", "boot", "device", "show", "--supported", "a", "-f", "value", script=script)
    assert done.out == "pxe, disk\n"


def test_children_are_listed_one_by_one(run):
    done = run(
        "node", "children", "list", "a", "-f", "value", script=(Reply({"children": ["b", "c"]}),)
    )
    assert done.out == "b\nc\n"


def test_children_are_one_object_in_json(run):
    words = ("node", "children", "list", "a", "-f", "json")
    done = run(*words, script=(Reply({"children": ["b", "c"]}),))
    assert json.loads(done.out) == {"children": ["b", "c"]}


def test_vifs(run):
    done = run("node", "vif", "list", "a", "-f", "json", script=(Reply({"vifs": [{"id": "v"}]}),))
    assert json.loads(done.out) == [{"id": "v"}]
    words = ("node", "vif", "attach", "a", "v", "--port-uuid", "p", "--vif-info", "k=1")
    assert run(*words, script=(OK,)).requests[0].json == {"id": "v", "port_uuid": "p", "k": 1}
    done = run("node", "vif", "attach", "a", "v", "--vif-info", "id=x")
    assert (done.code, done.requests) == (1, [])
    assert run("node", "vif", "detach", "a", "v", script=(OK,)).code == 0


@pytest.mark.parametrize(
    ("words", "target"),
    [
        ([], "/v1/nodes/a/vmedia"),
        (["all"], "/v1/nodes/a/vmedia"),
        (["cdrom", "disk", "cdrom"], "/v1/nodes/a/vmedia?device_types=cdrom,disk"),
    ],
)
def test_media_are_detached_from_all_devices_or_from_some(run, words, target):
    done = run("node", "vmedia", "detach", "a", *words, script=(Reply(status=204),))
    assert [request.target for request in done.requests] == [target]


def test_columns_that_the_version_in_use_lacks_are_told(run):
    nodes = Reply({"nodes": [{"uuid": "u", "provision_state": "available"}]})
    old = ("--os-baremetal-api-version", "1.4", "node", "list")
    done = run(*old, script=(nodes,))
    told = "Empty, since version 1.4 of the API, which is in use, lacks them: name (since 1.5).\n"
    assert (done.code, done.err) == (0, told)
    assert "| name |" in done.out
    assert run(*old, "-f", "json", script=(nodes,)).err == told
    assert run("--quiet", *old, script=(nodes,)).err == ""
    assert run(*old, script=(Reply({"nodes": []}),)).err == "No nodes found.\n"
    assert run("node", "list", script=(nodes,)).err == ""


def test_a_field_that_only_detailed_lists_have(run):
    nodes = Reply({"nodes": [{"uuid": "u", "name": "n", "conductor": "c"}]})
    done = run("node", "list", "--fields", "name", "conductor", "-f", "value", script=(nodes,))
    assert (done.code, done.out) == (0, "n c\n")
    assert [request.target for request in done.requests] == ["/v1/nodes/detail"]
