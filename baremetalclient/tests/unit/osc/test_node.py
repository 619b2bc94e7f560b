"""What the commands about nodes ask of the server, and what they print."""

import json

import pytest

from baremetalclient.tests.unit.scripted import Reply, fault

OK = Reply(status=204)
ACCEPTED = Reply(b"", 202)
MANY = {
    "abort": ("node", "abort"),
    "adopt": ("node", "adopt"),
    "boot device set": ("node", "boot", "device", "set"),
    "boot mode set": ("node", "boot", "mode", "set"),
    "clean": ("node", "clean", "--clean-steps", "[]"),
    "console disable": ("node", "console", "disable"),
    "console enable": ("node", "console", "enable"),
    "delete": ("node", "delete"),
    "deploy": ("node", "deploy"),
    "inject nmi": ("node", "inject", "nmi"),
    "inspect": ("node", "inspect"),
    "maintenance set": ("node", "maintenance", "set"),
    "maintenance unset": ("node", "maintenance", "unset"),
    "manage": ("node", "manage"),
    "power off": ("node", "power", "off"),
    "power on": ("node", "power", "on"),
    "provide": ("node", "provide"),
    "reboot": ("node", "reboot"),
    "rebuild": ("node", "rebuild"),
    "rescue": ("node", "rescue", "--rescue-password", "s3cret"),
    "secure boot off": ("node", "secure", "boot", "off"),
    "secure boot on": ("node", "secure", "boot", "on"),
    "service": ("node", "service", "--service-steps", "[]"),
    "set": ("node", "set", "--owner", "me"),
    "undeploy": ("node", "undeploy"),
    "unhold": ("node", "unhold"),
    "unrescue": ("node", "unrescue"),
    "unset": ("node", "unset", "--owner"),
}
LAST = {"boot device set": ("pxe",), "boot mode set": ("uefi",)}


@pytest.mark.parametrize("verb", MANY)
def test_each_of_several_nodes_gets_its_turn(run, verb):
    nodes = ("a", "b", "c")
    script = (fault("No.", 400), Reply({}), fault("No, too.", 400))
    done = run(*MANY[verb], *nodes, *LAST.get(verb, ()), script=script)
    assert done.code == 1
    assert len(done.requests) == 3
    assert "a" in done.err.splitlines()[0]
    assert "No." in done.err
    assert "No, too." in done.err


@pytest.mark.parametrize("verb", sorted(set(MANY) - {"delete", "set", "unset"}))
def test_what_is_done_is_told_on_stderr(run, verb):
    done = run(*MANY[verb], "rack-1", *LAST.get(verb, ()), script=(Reply({}),))
    assert done.code == 0
    assert done.out == ""
    assert "rack-1" in done.err
    quiet = run("-q", *MANY[verb], "rack-1", *LAST.get(verb, ()), script=(Reply({}),))
    assert (quiet.code, quiet.out, quiet.err) == (0, "", "")


def states(*found):
    return [
        Reply({"provision_state": state, "target_provision_state": target, "last_error": error})
        for state, target, error in found
    ]


def test_waiting_tells_progress_and_ends(run):
    script = (
        ACCEPTED,
        *states(("cleaning", "available", None), ("cleaning", "available", None)),
        *states(("available", None, None)),
    )
    done = run("node", "provide", "rack-1", "--wait", "9", script=script)
    assert done.code == 0
    assert done.out == ""
    assert done.err.count("'cleaning', target 'available'") == 1
    assert "rack-1 is 'available'" in done.err


def test_waiting_says_why_it_failed(run):
    script = (ACCEPTED, *states(("deploy failed", "active", "no bootable device")))
    done = run("node", "deploy", "rack-1", "--wait", script=script)
    assert done.code == 1
    assert "no bootable device" in done.err


def test_waiting_too_long_says_where_the_node_is(run):
    script = (ACCEPTED, *states(("cleaning", "available", "it is slow")))
    done = run("node", "provide", "rack-1", "--wait", "1", script=script)
    assert done.code == 1
    assert "it is 'cleaning' after 1 seconds, last error: it is slow" in done.err


def test_nodes_that_refused_are_not_waited_for(run):
    script = (fault("No.", 409), ACCEPTED, *states(("manageable", None, None)))
    done = run("node", "manage", "a", "b", "--wait", script=script)
    assert done.code == 1
    assert [request.path for request in done.requests] == [
        "/v1/nodes/a/states/provision",
        "/v1/nodes/b/states/provision",
        "/v1/nodes/b",
    ]


def test_deploying(run):
    steps = '[{"interface": "deploy", "step": "x", "priority": 10}]'
    words = ("node", "deploy", "a", "--config-drive", '{"meta_data": {"k": "v"}}')
    done = run(*words, "--deploy-steps", steps, script=(ACCEPTED,))
    assert done.requests[0].json == {
        "target": "active",
        "configdrive": {"meta_data": {"k": "v"}},
        "deploy_steps": json.loads(steps),
    }


def test_a_runbook_decides_about_the_ramdisk(run):
    words = ("node", "clean", "a", "--runbook", "r", "--disable-ramdisk")
    done = run(*words)
    assert done.code == 1
    assert done.requests == []


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
def test_contradictions_change_nothing(run, words):
    done = run("node", "set", *words)
    assert done.code == 1
    assert done.requests == []


def test_an_instance_that_is_nowhere_is_named(run):
    script = (Reply({"nodes": []}),)
    done = run("node", "show", "--instance", "4f9b1bdd-5a08-4b8d-a2b8-e5a5a25bb1e1", script=script)
    assert done.code == 1
    assert "4f9b1bdd-5a08-4b8d-a2b8-e5a5a25bb1e1" in done.err


def test_traits(run):
    done = run("node", "trait", "list", "a", script=(Reply({"traits": ["A", "B"]}),))
    assert done.out.split() == ["+--------+", "|", "traits", "|", "+--------+"] + [
        word for trait in "AB" for word in ("|", trait, "|")
    ] + ["+--------+"]
    none = Reply({"traits": []})
    done = run("node", "add", "trait", "a", "CUSTOM_A", "CUSTOM_B", script=(none, OK, OK))
    assert done.out == "Added trait CUSTOM_A\nAdded trait CUSTOM_B\n"
    done = run("node", "trait", "remove", "a", "", script=(OK,))
    assert (done.code, done.requests) == (1, [])
    done = run("node", "remove", "trait", "--all", "a", script=(OK,))
    assert done.requests[0].path == "/v1/nodes/a/traits"


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ("", "only capital letters, digits and underscores"),
        ("custom_gold", "Did you mean 'CUSTOM_GOLD'?"),
        ("hw-cpu-x86-vmx", "Did you mean 'HW_CPU_X86_VMX'?"),
        ("CUSTOM_", "begin with CUSTOM_"),
        ("CUSTOM_Ä", "capital letters"),
        ("CUSTOM_" + "A" * 250, "257 characters, the maximum is 255"),
    ],
)
def test_what_is_no_trait_is_never_sent(run, wrong, why):
    for words in (("add", "trait"), ("trait", "add"), ("remove", "trait")):
        done = run("node", *words, "a", "CUSTOM_A", wrong, script=(OK, OK))
        assert (done.code, done.requests) == (1, [])
        assert why in done.err


def test_more_traits_than_a_node_can_have_are_never_sent(run):
    many = [f"CUSTOM_{number}" for number in range(51)]
    done = run("node", "add", "trait", "a", *many, script=(OK,))
    assert (done.code, done.requests) == (1, [])
    assert "A node can have 50 traits at most, not 51." in done.err
    there = Reply({"traits": many[:49]})
    done = run("node", "add", "trait", "a", "CUSTOM_A", "CUSTOM_B", script=(there, OK, OK))
    assert (done.code, len(done.requests)) == (1, 1)


def test_the_server_knows_newer_traits_and_near_ones_are_suggested(run):
    assert run("node", "add", "trait", "a", "HW_NEWER", script=(OK,)).code == 0
    refusal = fault("Validation error.")
    done = run("node", "add", "trait", "a", "HW_CPU_X86_VMXX", script=(refusal,))
    assert "Did you mean HW_CPU_X86_VMX" in done.err


def test_the_shell_completes_traits(run):
    done = run("complete", "--shell", "bash")
    line = next(line for line in done.out.splitlines() if "cmds_node_add_trait=" in line)
    assert "HW_CPU_X86_VMX" in line


def test_vifs(run):
    done = run("node", "vif", "list", "a", "-f", "json", script=(Reply({"vifs": [{"id": "v"}]}),))
    assert json.loads(done.out) == [{"id": "v"}]
    words = ("node", "vif", "attach", "a", "v", "--port-uuid", "p", "--vif-info", "k=1")
    assert run(*words, script=(OK,)).requests[0].json == {"id": "v", "port_uuid": "p", "k": 1}
    done = run("node", "vif", "attach", "a", "v", "--vif-info", "id=x")
    assert (done.code, done.requests) == (1, [])
    assert run("node", "vif", "detach", "a", "v", script=(OK,)).code == 0


def test_validate(run):
    result = {"power": {"result": False, "reason": "no address"}, "boot": {"result": True}}
    done = run("node", "validate", "a", "-f", "json", script=(Reply(result),))
    assert json.loads(done.out) == [
        {"Interface": "boot", "Result": True, "Reason": ""},
        {"Interface": "power", "Result": False, "Reason": "no address"},
    ]


def test_children_are_listed_one_by_one(run):
    done = run(
        "node", "children", "list", "a", "-f", "value", script=(Reply({"children": ["b", "c"]}),)
    )
    assert done.out == "b\nc\n"


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


def test_power(run):
    done = run("node", "power", "off", "a", "--soft", "--power-timeout", "5", script=(ACCEPTED,))
    assert done.requests[0].json == {"target": "soft power off", "timeout": 5}
    assert run("node", "power", "off", "a", "--power-timeout", "0").code == 2


def power(state, target=None, error=None):
    return Reply({"power_state": state, "target_power_state": target, "last_error": error})


def test_power_is_waited_for(run):
    script = (ACCEPTED, power("power on", "rebooting"), power("power on"))
    done = run("node", "reboot", "a", "--wait", script=script)
    assert (done.code, done.out) == (0, "")
    assert len(done.requests) == 3
    assert "target 'rebooting'" in done.err


def test_power_that_does_not_come_says_why(run):
    script = (ACCEPTED, power("power off", None, "no fuse"))
    done = run("node", "power", "on", "a", "--wait", "1", script=script)
    assert done.code == 1
    assert "it is 'power off' after 1 seconds, last error: no fuse" in done.err


def test_boot_devices(run):
    script = (Reply({"supported_boot_devices": ["pxe", "disk"]}),)
    done = run("node", "boot", "device", "show", "--supported", "a", "-f", "value", script=script)
    assert done.out == "pxe, disk\n"


def test_an_inventory_is_saved(run, tmp_path):
    inventory = {"inventory": {"cpu": {"count": 1}}, "plugin_data": {}}
    path = tmp_path / "inventory.json"
    words = ("node", "inventory", "save", "a")
    assert json.loads(run(*words, script=(Reply(inventory),)).out) == inventory
    assert run(*words, "--file", str(path), script=(Reply(inventory),)).code == 0
    assert json.loads(path.read_text()) == inventory
    assert run(*words, "--file", str(tmp_path), script=(Reply(inventory),)).code == 1


def test_an_allocation_is_waited_for(run):
    script = (
        Reply({"uuid": "x", "state": "allocating"}, 201),
        Reply({"uuid": "x", "state": "error", "last_error": "no nodes"}),
    )
    done = run("allocation", "create", "--resource-class", "r", "--wait", script=script)
    assert done.code == 1
    assert "no nodes" in done.err


def test_an_allocation_needs_a_class_or_a_node(run):
    assert run("allocation", "create", "--name", "x").requests == []
