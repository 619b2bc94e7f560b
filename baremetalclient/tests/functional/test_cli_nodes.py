"""Nodes, their traits, VIFs and ports from the command line, under both commands."""

from __future__ import annotations

from uuid import uuid4

from baremetalclient.tests.functional.cli import BOTH_PROGRAMS


@BOTH_PROGRAMS
def test_create_show_set_and_unset(cli, cli_node):
    shown = cli("node", "show", cli_node, "-f", "json").json
    assert shown["name"] == cli_node
    assert shown["provision_state"] == "enroll"
    cli("node", "set", cli_node, "--property", "cpus=8", "--extra", "a:={}", "--owner", "me")
    words = ("node", "show", cli_node, "--fields", "properties", "extra", "owner", "-f", "json")
    assert cli(*words).json == {"properties": {"cpus": 8}, "extra": {"a": {}}, "owner": "me"}
    cli("node", "unset", cli_node, "--property", "cpus", "--extra", "a", "--owner")
    assert cli(*words).json == {"properties": {}, "extra": {}, "owner": None}
    words = ("node", "set", cli_node, "--driver-info", "ipmi_password=s3cret-1")
    done = cli("--debug", *words, "--property", "auth_token=s3cret-2")
    assert "PATCH" in done.err
    assert "s3cret" not in done.err


def test_several_nodes_of_which_one_is_missing(cli, cli_node):
    absent = f"absent-{uuid4()}"
    done = cli.fails("node", "set", absent, cli_node, "--description", "x")
    assert absent in done.err
    assert cli("node", "show", cli_node, "-f", "value", "-c", "description").out == "x\n"
    done = cli.fails("node", "maintenance", "set", absent, cli_node, "--reason", "why")
    assert absent in done.err
    words = ("node", "show", cli_node, "-f", "json", "--fields", "maintenance_reason")
    assert cli(*words).json == {"maintenance_reason": "why"}


def test_traits(cli, cli_node):
    added = cli("node", "add", "trait", cli_node, "CUSTOM_RED", "CUSTOM_BLUE")
    assert added.out == "Added trait CUSTOM_RED\nAdded trait CUSTOM_BLUE\n"
    assert cli("node", "trait", "list", cli_node, "-f", "value").out.split() == [
        *("CUSTOM_BLUE", "CUSTOM_RED")
    ]
    refused = cli.fails("node", "trait", "add", cli_node, "NO_SUCH_TRAIT", "CUSTOM_GREEN")
    assert "NO_SUCH_TRAIT" in refused.err
    assert refused.out == "Added trait CUSTOM_GREEN\n"

    def listed(*words):
        out = cli("node", "list", "--limit", "0", *words, "-f", "value", "-c", "name").out
        return cli_node in out.split()

    assert listed("--trait", "CUSTOM_RED", "--trait", "CUSTOM_BLUE")
    assert not listed("--trait", "CUSTOM_RED", "--trait", "CUSTOM_ABSENT")
    assert listed("--trait-any", "CUSTOM_RED", "CUSTOM_ABSENT")
    assert not listed("--not-trait", "CUSTOM_RED")
    assert listed("--not-trait", "CUSTOM_RED", "--not-trait", "CUSTOM_ABSENT")
    assert not listed("--not-trait-any", "CUSTOM_RED", "CUSTOM_ABSENT")
    cells = cli("node", "show", cli_node, "--fields", "traits").out
    assert '["CUSTOM_' in cells
    cli("node", "remove", "trait", cli_node, "CUSTOM_RED")
    cli("node", "remove", "trait", "--all", cli_node)
    assert cli("node", "trait", "list", cli_node).out == ""


def test_states_with_progress(cli, cli_node):
    managed = cli("node", "manage", cli_node, "--wait", "60")
    assert managed.out == ""
    assert f"{cli_node} is 'manageable'" in managed.err
    cli("node", "inspect", cli_node, "--wait", "60")
    cli("node", "provide", cli_node, "--wait", "60")
    refused = cli.fails("node", "manage", f"absent-{uuid4()}", cli_node, "--wait", "60")
    assert refused.err.count("Failed") == 1
    state = cli("node", "show", cli_node, "-f", "value", "-c", "provision_state")
    assert state.out == "manageable\n"


def test_power_and_boot_device(cli, cli_node):
    cli("node", "manage", cli_node, "--wait", "60")
    cli("node", "power", "on", cli_node)
    cli.until("power on", "node", "show", cli_node, "-f", "value", "-c", "power_state")
    cli("node", "boot", "device", "set", cli_node, "pxe", "--persistent")
    shown = cli("node", "boot", "device", "show", cli_node, "-f", "json").json
    assert shown["boot_device"] == "pxe"
    rows = cli("node", "validate", cli_node, "-f", "json").json
    assert {row["Interface"] for row in rows} >= {"power", "deploy", "network"}


def test_vifs_of_noop(cli, cli_node):
    cli("node", "vif", "attach", cli_node, str(uuid4()))
    assert cli("node", "vif", "list", cli_node).out == ""
    cli("node", "vif", "detach", cli_node, str(uuid4()))


def test_ports_and_port_groups(cli, cli_node):
    address = "52:54:00:" + ":".join(uuid4().hex[n : n + 2] for n in (0, 2, 4))
    name = f"group-{uuid4().hex[:8]}"
    group = cli("port", "group", "create", "--node", cli_node, "--name", name, "-f", "json").json
    port = cli(
        *("port", "create", address, "--node", cli_node, "--port-group", name, "-f", "json"),
        *("--pxe-enabled", "false", "--physical-network", "net"),
    ).json
    assert (port["portgroup_uuid"], port["pxe_enabled"]) == (group["uuid"], False)
    assert cli("port", "show", "--address", address, "-f", "json").json["uuid"] == port["uuid"]
    cli("port", "set", port["uuid"], "--pxe-enabled", "--name", name)
    cli("port", "unset", port["uuid"], "--port-group", "--physical-network")
    listed = cli("port", "list", "--node", cli_node, "--long", "-f", "json").json
    assert [(item["pxe_enabled"], item["portgroup_uuid"]) for item in listed] == [(True, None)]
    cli("port", "group", "set", name, "--property", "miimon=100", "--unsupport-standalone-ports")
    shown = cli("port", "group", "show", name, "-f", "json").json
    assert (shown["properties"], shown["standalone_ports_supported"]) == ({"miimon": 100}, False)
    assert cli("port", "delete", port["uuid"]).out == f"Deleted port {port['uuid']}\n"
    assert cli("port", "group", "delete", name).out == f"Deleted port group {name}\n"


def test_chassis_drivers_and_conductors(cli):
    made = cli("chassis", "create", "--description", "c", "--extra", "a=1", "-f", "json").json
    cli("chassis", "set", made["uuid"], "--description", "d")
    shown = cli("chassis", "show", made["uuid"], "-f", "json").json
    assert (shown["description"], shown["extra"]) == ("d", {"a": 1})
    assert cli("chassis", "delete", made["uuid"]).out == f"Deleted chassis {made['uuid']}\n"
    assert "fake-hardware" in cli("driver", "list", "-f", "value", "-c", "name").out
    shown = cli("driver", "show", "fake-hardware", "-f", "json").json
    assert shown["default_power_interface"] == "fake"
    (conductor,) = cli("conductor", "list", "-f", "json").json
    assert cli("conductor", "show", conductor["hostname"], "-f", "json").json["alive"] is True


def test_a_missing_node_is_named(cli):
    name = f"absent-{uuid4()}"
    done = cli.fails("node", "show", name)
    assert name in done.err
    assert (done.out, done.err.count("\n")) == ("", 1)
    done = cli.fails("node", "show", "--instance", (instance := str(uuid4())))
    assert instance in done.err


def test_any_text_can_be_listed(cli, cli_node):
    cli("node", "set", cli_node, "--description", "caf\u00e9 \U0001f600 \x1b[31m")
    words = ("node", "list", "--limit", "0", "--description-contains", "caf")
    for output in ("table", "value", "csv", "json", "yaml", "shell"):
        done = cli.run_as_process(
            *words, "--fields", "name", "description", "-f", output, LC_ALL="C"
        )
        assert done.code == 0, done
        assert cli_node in done.out, output
        assert "\x1b" not in done.out, output


def test_versions(cli):
    words = ("volume", "connector", "list")
    done = cli.fails("--os-baremetal-api-version", "1.31", *words)
    assert "1.32" in done.err
    shown = cli("version", "show", "-f", "json").json
    assert shown["negotiated"] == min(
        shown["client_max"], shown["server_max"], key=lambda text: int(text.partition(".")[2])
    )
