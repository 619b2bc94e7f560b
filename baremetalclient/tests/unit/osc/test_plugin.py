import argparse
import logging
import sys
from types import ModuleType, SimpleNamespace

import pytest

from baremetalclient import exc
from baremetalclient.microversion import CLIENT_MAX
from baremetalclient.osc import plugin
from baremetalclient.tests.unit.scripted import Reply, ScriptedServer


def parsed(*words):
    parser = plugin.build_option_parser(argparse.ArgumentParser(exit_on_error=False))
    return parser.parse_args(list(words)).os_baremetal_api_version


def test_versions(monkeypatch):
    monkeypatch.delenv("OS_BAREMETAL_API_VERSION", raising=False)
    assert parsed() is None
    assert parsed("--os-baremetal-api-version", "1.67") == "1.67"
    assert parsed("--os-baremetal-api-version", "latest") == plugin.NEWEST
    monkeypatch.setenv("OS_BAREMETAL_API_VERSION", "latest")
    assert parsed() == plugin.NEWEST


@pytest.mark.parametrize("text", ["banana", "2.0", "1.", "v1.67", ""])
def test_no_versions(text):
    with pytest.raises(
        argparse.ArgumentError, match=r"Use 'latest', '1', or a version such as '1\.67'"
    ):
        parsed("--os-baremetal-api-version", text)


@pytest.mark.parametrize("ours_first", [True, False])
def test_the_plugin_of_python_ironicclient_gives_way(monkeypatch, ours_first):
    from osc_lib.clientmanager import ClientManager
    from stevedore import ExtensionManager

    def add_theirs(parser):
        parser.add_argument("--os-baremetal-api-version", choices=["1.115"], default="1.115")
        return parser

    class Factory:
        def __init__(self, make_client):
            self.make_client = make_client

    theirs = ModuleType("ironicclient.osc.plugin")
    theirs.build_option_parser, theirs.make_client = add_theirs, None
    monkeypatch.setitem(sys.modules, "ironicclient.osc.plugin", theirs)
    monkeypatch.setattr(ClientManager, "baremetal", Factory(None), raising=False)
    monkeypatch.setattr(ExtensionManager, "ENTRY_POINT_CACHE", {})
    parser = argparse.ArgumentParser(exit_on_error=False)
    for module in (plugin, theirs) if ours_first else (theirs, plugin):
        parser = module.build_option_parser(parser)
    assert parser.parse_args([]).os_baremetal_api_version is None
    version = parser.parse_args(["--os-baremetal-api-version", "latest"]).os_baremetal_api_version
    assert version == plugin.NEWEST
    assert parser.format_help().count("--os-baremetal-api-version") == 2  # usage, description
    assert not theirs.DEFAULT_API_VERSION
    assert ClientManager.baremetal.make_client is plugin.make_client
    [commands] = ExtensionManager.ENTRY_POINT_CACHE.values()
    assert {command.module.split(".")[0] for command in commands} == {"baremetalclient"}


def test_a_configured_version_is_checked():
    assert plugin.check_api_version("1.67")
    with pytest.raises(exc.CommandError):
        plugin.check_api_version("latest")


@pytest.mark.parametrize(
    ("requested", "configured", "sent"),
    [
        (plugin.NEWEST, None, str(CLIENT_MAX)),
        ("1.67", None, "1.67"),
        (plugin.NEWEST, "1.50", "1.50"),
    ],
)
def test_a_client_for_openstackclient(requested, configured, sent):
    from keystoneauth1 import noauth, session

    with ScriptedServer(Reply({"nodes": []})) as server:
        manager = SimpleNamespace(
            session=session.Session(noauth.NoAuth(endpoint=server.url)),
            _api_version={"baremetal": requested},
            _cli_options=SimpleNamespace(get_default_microversion=lambda service: configured),
            interface="public",
            region_name=None,
            get_endpoint_for_service_type=lambda service, **where: server.url,
        )
        assert plugin.make_client(manager).node.list() == []
    assert server.requests[0].version == sent


@pytest.mark.parametrize(
    "line",
    [
        "START with options: volume target create --property auth_password=s3cret",
        "START with options: node rescue n --rescue-password s3cret",
        "START with options: node rescue n --rescue-password=s3cret",
        "START with options: --os-token s3cret node list",
        'START with options: node set n --driver-info ipmi_password:="s3cret"',
        "START with options: node set n --driver-info snmp_auth_key=s3cret",
        "START with options: --os-api-key s3cret node list",
        'START with options: node set n --driver-info \'{"apiKey": "s3cret"}\'',
        'START with options: node deploy n --config-drive {"user_data": "a", "b": "s3cret"}',
        "START with options: node set n --instance-info image_source=https://u:s3cret@h/i",
        "START with options: node set n --extra url=https://h/i?sig=s3cret",
        "options: Namespace(password='s3cret')",
        "options: Namespace(driver_info=['ipmi_hex_kg_key=s3cret'])",
    ],
)
def test_secrets_of_a_command_line_stay_out_of_the_log(line):
    record = logging.LogRecord("osc_lib.shell", logging.INFO, "", 1, "%s", (line,), None)
    assert plugin.hide_secrets(record)
    assert "s3cret" not in record.getMessage()


def test_the_rest_of_a_command_line_stays_in_the_log():
    line = "START with options: --os-auth-type password volume target list --long"
    record = logging.LogRecord("osc_lib.shell", logging.INFO, "", 1, line, (), None)
    plugin.hide_secrets(record)
    assert record.getMessage() == line
