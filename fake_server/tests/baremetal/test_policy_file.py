"""Policies of one's own, as in a file of oslo.policy."""

import pytest

from fake_server.app import Application
from fake_server.baremetal.api.policies import POLICIES
from fake_server.common.policies import read
from fake_server.settings import Settings
from fake_server.tests.networking.cloud import Cloud
from fake_server.tests.policies.judge import judge

GET = "baremetal:driver:get"


def test_the_policies_are_the_published_ones():
    published = judge("ironic").rules
    assert {
        name: {"check": rule.check, "scopes": sorted(rule.scopes)}
        for name, rule in POLICIES.rules.items()
    } == {
        name: {"check": rule["check"], "scopes": sorted(rule.get("scopes", ()))}
        for name, rule in published.items()
    }


def test_parts_of_other_policies_are_the_published_ones():
    """A file that has a check for the whole has it for the parts that it doesn't name."""
    wholes = {
        name: old["name"]
        for name, rule in judge("ironic").rules.items()
        if (old := rule.get("deprecated")) and old["name"] != name
    }
    for name, whole in wholes.items():
        found = POLICIES.replaced({whole: "role:cook"})
        assert found.rules[name].check == "role:cook", name
        assert found.rules[name].scopes == POLICIES.rules[name].scopes
        found = POLICIES.replaced({whole: f"rule:{name}"})
        assert found.rules[name].check == POLICIES.rules[name].check
    for name in POLICIES.rules.keys() - wholes.keys():
        changed = {one for one in POLICIES.rules if wholes.get(one) == name} | {name}
        found = POLICIES.replaced({name: "role:cook"})
        assert {one for one, rule in found.rules.items() if rule.check == "role:cook"} == changed


@pytest.mark.parametrize(
    ("checks", "message"),
    [
        ({"baremetal:drivers:get": "@"}, "There is no policy baremetal:drivers:get"),
        ({"mine": "@", GET: "role:mine"}, "There is no policy mine"),
        ({"baremetal:step:bios.x": "@"}, "There is no policy baremetal:step:bios.x"),
        ({GET: "rule:mine"}, f"The policy {GET} refers to rule:mine, which does not exist."),
        ({GET: "role:a role:b"}, "there is no 'and' or 'or' before 'role:b'"),
        ({"baremetal:step:execute:bios.x": "(role:a"}, r"bios\.x, .*: a '\)' is missing"),
        ({GET: "rule:a", "a": "rule:b", "b": "rule:a"}, "each other: "),
    ],
)
def test_what_can_not_be_is_refused(checks, message):
    with pytest.raises(ValueError, match=message):
        Application(Settings(policies=checks))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            f'"{GET}": "@"\n"baremetal:drivers:get": "!"\n',
            "line 2: There is no policy baremet",
        ),
        (f'"a": "@"\n"{GET}": "rule:a"\n"{GET}": "!"\n', "line 3: .*twice|line 3: .*two rules"),
        (f'\n\n"{GET}": "role:a and"\n', f"line 3: The policy {GET}, 'role:a and': a check is mis"),
        (f'"{GET}": [[role:a]]', f"line 1: the policy '{GET}' needs a check that is text"),
        ("{", "line 2: did not find"),
    ],
)
def test_a_file_is_refused_with_its_line(tmp_path, text, message):
    path = tmp_path / "policy.yaml"
    path.write_text(text)
    with pytest.raises(ValueError, match=f"^{path}, {message}"):
        read(str(path), POLICIES)


def test_users_of_projects_list_drivers_where_the_file_lets_them():
    assert Cloud().ask_baremetal("GET", "/drivers", role="reader")[0] == 403
    # It is a policy for tokens of the system, whatever its check says.
    cloud = Cloud(policies={GET: "rule:readers", "readers": "role:reader"})
    assert cloud.ask_baremetal("GET", "/drivers", role="reader")[0] == 403
