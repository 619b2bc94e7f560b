"""Policies of one's own, as in a file of oslo.policy."""

import pytest

from fake_server.app import Application
from fake_server.baremetal.api import policy_file
from fake_server.common.caller import Caller
from fake_server.settings import Settings
from fake_server.tests.networking.cloud import Cloud

GET = "baremetal:driver:get"


def caller(*roles, **scope):
    return Caller("u", "user", frozenset(roles), **scope)


@pytest.mark.parametrize(
    ("check", "allowed"),
    [
        ("", "msro"),
        ("@", "msro"),
        ("!", ""),
        ("role:member", "mo"),
        ("role:Member", "mo"),
        ("role:member and role:reader", "m"),
        ("not role:member", "sr"),
        ("role:reader or role:member and role:none", "mr"),
        ("(role:reader or role:member) and NOT role:none", "mro"),
        ("system_scope:all", "s"),
        ("project_id:%(node.owner)s", "o"),
        ("role:member and project_id:%(node.owner)s", "o"),
        ("project_id:%(node.lessee)s", "r"),
        ("rule:readers", "mr"),
        ("rule:baremetal:node:list or rule:alias", "msr"),
    ],
)
def test_checks(check, allowed):
    callers = {
        "m": caller("member", "reader", project_id="p"),
        "s": caller("service", system=True),
        "r": caller("reader", project_id="lessee"),
        "o": caller("member", project_id="owner"),
    }
    others = {"readers": "role:reader", "alias": "rule:readers", "baremetal:node:get": "rule:alias"}
    found = policy_file.rules({**others, GET: check, "baremetal:port:get": "rule:readers"})[GET]
    assert "".join(one for one, who in callers.items() if found(who, "owner", "lessee")) == allowed


@pytest.mark.parametrize(
    ("checks", "message"),
    [
        ({"baremetal:drivers:get": "@"}, "Unknown policies: baremetal:drivers:get. They are no"),
        ({"mine": "@", GET: "role:mine"}, "Unknown policies: mine. They are no policies"),
        ({GET: "rule:mine"}, f"The policy {GET} refers to rule:mine, which does not exist."),
        ({GET: "user:me"}, f"The policy {GET}, 'user:me': 'user:me' is none of the checks role:"),
        ({GET: "role:"}, "'role:' is none of the checks"),
        ({GET: "project_id:mine"}, "'project_id:mine' is none of the checks"),
        ({GET: "role:a role:b"}, "there is no 'and' or 'or' before 'role:b'."),
        ({GET: "(role:a"}, r"a '\)' is missing"),
        ({GET: "role:a)"}, r"there is no 'and' or 'or' before '\)'"),
        ({GET: "role:a and"}, "a check is missing before 'the end'"),
        ({GET: "or role:a"}, "a check is missing before 'or'"),
        ({GET: "rule:a", "a": "rule:b", "b": "rule:a"}, f"each other: {GET} -> a -> b -> a."),
    ],
)
def test_what_can_not_be_is_refused(checks, message):
    with pytest.raises(ValueError, match=message):
        Application(Settings(policies=checks))


def test_users_of_projects_list_drivers_where_the_file_lets_them():
    assert Cloud().ask_baremetal("GET", "/drivers", role="reader")[0] == 403
    cloud = Cloud(policies={GET: "rule:readers", "readers": "role:reader"})
    status, answer = cloud.ask_baremetal("GET", "/drivers", role="reader")
    assert (status, bool(answer["drivers"])) == (200, True)
    properties = "/drivers/redfish/properties"
    assert cloud.ask_baremetal("GET", properties, role="reader")[0] == 403


def test_a_file(tmp_path):
    path = tmp_path / "policy.yaml"

    def read(text):
        path.write_text(text)
        return policy_file.read(str(path))

    assert read("# nothing\n") == {}
    assert read(f'"{GET}": "role:reader"\n') == {GET: "role:reader"}
    for text, message in {
        "- a": "needs to be an object",
        f'"{GET}": [[role:a]]': f"The policy '{GET}' in .* needs a check that is text",
        "{": "are neither YAML nor JSON",
    }.items():
        with pytest.raises(ValueError, match=message):
            read(text)
    with pytest.raises(ValueError, match="can't be read: No such file"):
        policy_file.read(str(tmp_path / "missing"))
