"""Which variables of the environment the standalone ``baremetal`` reads."""

from __future__ import annotations

import pytest

from baremetalclient.tests.unit.scripted import ScriptedServer
from baremetalclient.tests.unit.test_shell import NODES, call

FOREIGN = """
    ADDITIONAL_HEADERS ALLOW_API_VERSION_DOWNGRADE API_VERSION AUTH COMPUTE_API_VERSION DEADLINE
    DEBUG GLOBAL_REQUEST_ID IDENTITY_API_VERSION INSECURE IRONIC_API_VERSION IRONIC_URL MAX_RETRIES
    OS_IRONIC_API_VERSION RETRY_INTERVAL SESSION TIMEOUT VALID_INTERFACES VERIFY VOLUME_API_VERSION
"""


@pytest.mark.parametrize("auth_type", ["", "none"])
def test_foreign_variables_of_the_environment_do_no_harm(auth_type):
    foreign = {f"OS_{name}": "something-else" for name in FOREIGN.split()}
    with ScriptedServer(NODES) as server:
        done = call("node", "list", OS_ENDPOINT=server.url, OS_AUTH_TYPE=auth_type, **foreign)
        asked = [request.path for request in server.all_requests]
    assert (done.returncode, done.stderr) == (0, b"")
    assert asked == ["/v1/nodes"]


@pytest.mark.parametrize(
    ("variables", "header", "sent"),
    [
        ({"USER_NAME": "u", "PASSWORD": "p", "AUTH_TYPE": "http_basic"}, "authorization", "dTpw"),
        ({"AUTH_TOKEN": "t"}, "x-auth-token", "t"),
    ],
)
def test_older_names_of_variables_are_read(variables, header, sent):
    with ScriptedServer(NODES) as server:
        given = {f"OS_{name}": value for name, value in variables.items()}
        assert call("node", "list", OS_ENDPOINT=server.url, **given).returncode == 0
        assert server.all_requests[0].headers[header].endswith(sent)


def test_variables_of_the_plugin_are_read():
    given = {"OS_AUTH_TYPE": "v3oidcpassword", "OS_AUTH_URL": "http://localhost:1/v3"}
    missing = call("node", "list", **given).stderr
    assert b"discovery-endpoint" in missing
    given["OS_DISCOVERY_ENDPOINT"] = "http://localhost:1"
    assert b"discovery-endpoint" not in call("node", "list", **given).stderr
