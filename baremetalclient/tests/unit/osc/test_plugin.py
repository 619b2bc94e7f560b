import argparse
import logging
from types import SimpleNamespace

import pytest

from baremetalclient import exc
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


def test_a_configured_version_is_checked():
    assert plugin.check_api_version("1.67")
    with pytest.raises(exc.CommandError):
        plugin.check_api_version("latest")


@pytest.mark.parametrize(
    ("requested", "configured", "sent"),
    [(plugin.NEWEST, None, "1.115"), ("1.67", None, "1.67"), (plugin.NEWEST, "1.50", "1.50")],
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
        "options: Namespace(password='s3cret')",
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
