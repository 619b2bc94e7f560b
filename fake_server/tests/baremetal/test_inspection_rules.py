"""Inspection rules: which there may be, and what they do with a report."""

from __future__ import annotations

import pytest

from fake_server.settings import ENABLED_INTERFACES
from fake_server.tests.baremetal.api import Api
from fake_server.tests.baremetal.played_services import JsonHandler, played

INTERFACES = {**ENABLED_INTERFACES, "inspect": ("fake", "agent"), "boot": ("fake", "ipxe")}
RULES = "/v1/inspection_rules"
MAC = "52:54:00:00:00:01"
REPORT = {
    "inventory": {
        "interfaces": [{"name": "eth0", "mac_address": MAC}],
        "cpu": {"architecture": "x86_64", "count": 4},
        "bmc_address": "192.0.2.1",
        "bmc_password": "secret",
    },
    "found": {"list": [1]},
}


def operation(op, **args):
    return {"op": op, "args": args}


FAIL = operation("fail", msg="not this one")


@pytest.fixture
def api():
    api = Api(agent="external", interfaces=INTERFACES)
    api.enrol(
        boot_interface="ipxe",
        inspect_interface="agent",
        driver_info={"deploy_kernel": "http://k", "deploy_ramdisk": "http://r"},
        extra={"list": [1]},
    )
    api("POST", "/v1/ports", {"node_uuid": api.node()["uuid"], "address": MAC})
    api.provision("manage")
    return api


def create(api, actions, conditions=(), **values):
    body = {"actions": list(actions), "conditions": list(conditions), **values}
    status, rule = api("POST", RULES, body)
    assert status == 201, rule
    return rule


def inspect(api):
    api.provision("inspect")
    status, answer = api("POST", "/v1/continue_inspection", REPORT)
    assert status == 202, answer
    return api.node()


def test_rules_are_sorted_by_one_key(api):
    message = "Schema error: ['uuid', 'uuid'] is not of type 'string'"
    assert api("GET", f"{RULES}?sort_key=uuid&sort_key=uuid") == (400, message)


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"sensitive": 5, "phase": 5, "actions": 5}, "5 is not of type 'array'"),
        ({"priority": "x", "actions": [1]}, "1 is not of type 'object'"),
        ({"sensitive": [], "phase": {}}, "{} is not of type 'string', 'null'"),
    ],
)
def test_of_several_errors_the_first_in_the_schema_of_ironic_is_told(api, wrong, told):
    assert api("POST", RULES, wrong) == (400, f"Schema error: {told}")


def test_what_a_sensitive_rule_does_stays_secret(api):
    rule = create(api, [FAIL], sensitive=True)
    assert (rule["actions"], rule["conditions"]) == (None, None)
    unset, again = ({"op": "replace", "path": "/sensitive", "value": one} for one in (False, True))
    for patch in ([unset], [unset, again]):
        status, message = api("PATCH", f"{RULES}/{rule['uuid']}", patch)
        assert (status, "cannot have the sensitive flag unset" in message) == (400, True)


def test_logs_are_not_kept_with_the_data_of_a_report(api):
    api.provision("inspect")
    assert api("POST", "/v1/continue_inspection", {**REPORT, "logs": "bG9n"})[0] == 202
    _, kept = api("GET", "/v1/nodes/n/inventory")
    assert kept["plugin_data"]["found"] == REPORT["found"]
    assert "logs" not in kept["plugin_data"]


def test_rules_change_the_node(api):
    create(
        api,
        [
            operation("set-attribute", path="extra/cpus", value="{inventory[cpu][count]}"),
            operation(
                "set-attribute", path="driver_info.address", value="{inventory[bmc_address]}"
            ),
            operation("set-attribute", path="resource_class", value="{node.name}-class"),
            operation("extend-attribute", path="extra/list", value=2),
            operation("extend-attribute", path="extra/list", value=2, unique=True),
            operation("set-capability", name="boot", value="fast"),
            operation("add-trait", name="CUSTOM_FAST"),
        ],
    )
    create(api, [operation("del-attribute", path="extra/nothing")], [operation("!eq", values=[1])])
    node = inspect(api)
    assert (node["provision_state"], node["last_error"]) == ("manageable", None)
    assert node["extra"] == {"cpus": "4", "list": [1, 2]}
    assert node["driver_info"]["address"] == "192.0.2.1"
    assert node["resource_class"] == "n-class"
    assert node["properties"]["capabilities"] == "boot:fast"
    assert node["traits"] == ["CUSTOM_FAST"]


def test_rules_change_ports_and_plugin_data(api):
    port = api("GET", "/v1/ports?detail=true")[1]["ports"][0]["uuid"]
    create(
        api,
        [
            operation("set-port-attribute", port_id=port, path="extra/cpus", value=4),
            operation("extend-port-attribute", port_id=port, path="extra/list", value="a"),
            operation("set-plugin-data", path="found.more", value="{node.name}"),
            operation("extend-plugin-data", path="new.list", value=1),
        ],
    )
    assert inspect(api)["provision_state"] == "manageable"
    assert api("GET", f"/v1/ports/{port}")[1]["extra"] == {"cpus": 4, "list": ["a"]}
    found = api("GET", "/v1/nodes/n/inventory")[1]["plugin_data"]
    assert found["found"] == {"list": [1], "more": "n"}
    assert found["new"] == {"list": [1]}


def test_secrets_of_the_report_are_masked_for_rules(api):
    value = "{inventory[bmc_password]} {node.__class__}"
    create(api, [operation("set-attribute", path="extra/a", value=value)])
    create(api, [operation("set-attribute", path="extra/b", value="{inventory[bmc_password]}")])
    assert inspect(api)["extra"] == {"list": [1], "a": value, "b": "***"}


def test_a_rule_fails_the_inspection(api):
    create(api, [FAIL])
    node = inspect(api)
    assert node["provision_state"] == "inspect failed"
    reason = "Failed to inspect hardware. Reason: not this one"
    # Powering the node off has cleared the error, which its history still has.
    assert (
        node["last_error"] == f"Async execution of continue_inspection failed with error: {reason}"
    )
    history = api("GET", "/v1/nodes/n/history?detail=true")[1]["history"]
    assert [entry["event"] for entry in history] == [f"Failed to finish inspection: {reason}"]


def test_what_a_rule_stumbles_over_fails_the_inspection(api):
    rule = create(api, [FAIL], [operation("lt", values=[1, "a"])])
    node = inspect(api)
    assert node["provision_state"] == "inspect failed"
    assert f"Failed to apply rule {rule['uuid']} to node {node['uuid']}: '<'" in node["last_error"]
    assert api("GET", "/v1/nodes/n/inventory")[0] == 404


def test_rules_of_higher_priority_go_first(api):
    create(api, [operation("extend-attribute", path="extra/list", value="low")], priority=1)
    create(api, [operation("extend-attribute", path="extra/list", value="high")], priority=2)
    assert inspect(api)["extra"]["list"] == [1, "high", "low"]


def test_a_list_inside_is_extended(api):
    for value in ("x", "y"):
        create(api, [operation("extend-attribute", path="extra/inner/list", value=value)])
    assert sorted(inspect(api)["extra"]["inner"]["list"]) == ["x", "y"]


@pytest.mark.parametrize(
    ("condition", "holds"),
    [
        (operation("eq", values=["{inventory[cpu][count]}", "4"]), True),
        (operation("eq", values=["{inventory[cpu][count]}", 4]), False),
        (operation("eq", values=["{inventory[cpu][count]}", 4], force_strings=True), True),
        (operation("gt", values=[3, 2, 2]), False),
        (operation("is-empty", value="{inventory[nothing]}"), True),
        (operation("in-net", address="{inventory[bmc_address]}", subnet="192.0.2.9/24"), True),
        (operation("matches", value="x86_64", regex="x86"), False),
        (operation("matches", value="x86_64", regex="x86.*"), True),
        (operation("contains", value="x86_64", regex="86"), True),
        (operation("contains", value="x86_64", regex="arm"), False),
        (operation("in-net", address="192.0.3.1", subnet="192.0.2.0/24"), False),
        (operation("is-empty", value="x"), False),
        (operation("one-of", value="a", values=["a", "b"]), True),
        (operation("is-none", value=None), True),
        (operation("is-true", value="Yes"), True),
        (operation("is-false", value=None), True),
        (operation("is-true", value="no"), False),
        (operation("is-true", value=1), True),
        (operation("is-true", value=0), False),
        (operation("is-true", value=["yes"]), False),
        (operation("is-false", value=0), True),
        (operation("is-false", value=1), False),
        (operation("is-false", value="False"), True),
        (operation("is-false", value="yes"), False),
        (operation("is-false", value=[]), False),
        (operation("is-none", value=0), False),
        (operation("one-of", value="c", values=["a", "b"]), False),
        (operation("lt", values=[1, 2, 3]), True),
        (operation("lt", values=[1, 1]), False),
        (operation("gt", values=[3, 2, 1]), True),
        (operation("!is-false", value=1), True),
        ({**operation("eq", values=["{item}", 1]), "loop": [1, 2]}, True),
        ({**operation("eq", values=["{item}", 1]), "loop": [1, 2], "multiple": "all"}, False),
        ({**operation("eq", values=["{item}", 1]), "loop": [1, 2], "multiple": "last"}, False),
        ({**operation("eq", values=["{item[a]}", 1]), "loop": {"a": 1}}, True),
    ],
    ids=str,
)
def test_conditions(api, condition, holds):
    create(api, [operation("set-attribute", path="extra/held", value=True)], [condition])
    assert ("held" in inspect(api)["extra"]) is holds


def test_actions_are_repeated_for_each_item(api):
    items = [{"path": "extra/a", "value": "{inventory[cpu][count]}"}, {"path": "extra/b"}]
    action = {
        **operation("set-attribute", path="{item[path]}", value="{item[value]}"),
        "loop": items,
    }
    create(api, [action])
    assert inspect(api)["extra"] == {"list": [1], "a": "4", "b": "{item[value]}"}


class Service(JsonHandler):
    """Notes how it was called."""

    def get(self):
        self.server.called.append((self.path, self.headers["X-Rule"]))
        self.answer({})

    post = get


def test_a_service_is_called(api):
    with played(Service, called=[]) as service:
        url = f"http://127.0.0.1:{service.server_port}/{{node.name}}"
        create(api, [operation("api-call", url=url, headers={"X-Rule": "1"})])
        assert inspect(api)["last_error"] is None
    assert service.called == [("/n", "1")]


def test_a_service_that_is_not_there_fails_the_inspection(api):
    with played(Service) as service:
        url = f"http://127.0.0.1:{service.server_port}/"
    create(api, [operation("api-call", url=url, retries=0)])
    node = inspect(api)
    assert f"Request to {url} failed" in node["last_error"]


@pytest.mark.parametrize(
    ("path", "left"),
    [
        ("/extra/a", {"list": [1]}),
        ("/extra/a/b", {"list": [1], "a": {"d": 1}}),
        ("/extra/a/b/c", {"list": [1], "a": {"b": {"e": 2}, "d": 1}}),
    ],
)
def test_what_is_at_a_path_is_removed(api, path, left):
    api.patch("extra/a", {"b": {"c": 1, "e": 2}, "d": 1})
    create(api, [operation("del-attribute", path=path)])
    assert inspect(api)["extra"] == left


@pytest.mark.parametrize(
    ("path", "value", "stored"),
    [
        ("extra", {"a": 1}, {"a": 1}),
        ("extra", "{'a': [1]}", {"a": [1]}),
        ("description", 5, "5"),
        ("protected", "yes", True),
    ],
)
def test_a_value_is_made_to_fit_its_field(api, path, value, stored):
    create(api, [operation("set-attribute", path=path, value=value)])
    assert inspect(api)[path] == stored


@pytest.mark.parametrize(
    ("path", "value", "reason"),
    [
        ("extra", [1], "cannot convert dictionary update sequence element #0 to a sequence"),
        ("extra", "[1]", "cannot convert dictionary update sequence element #0 to a sequence"),
        ("description", [1], "A string is required in field description, not a list"),
    ],
)
def test_a_value_that_does_not_fit_fails_the_inspection(api, path, value, reason):
    create(api, [operation("set-attribute", path=path, value=value)])
    node = inspect(api)
    assert node["provision_state"] == "inspect failed"
    assert reason in node["last_error"]


def test_the_conditions_of_a_rule_are_not_left_out(api):
    message = "The conditions of an inspection rule can't be left out or null."
    assert api("POST", RULES, {"actions": [FAIL]}) == (400, message)
    assert api("GET", RULES)[1]["inspection_rules"] == []


class Hook(JsonHandler):
    def get(self):
        self.server.seen.append(self.path)
        self.answer({}, self.server.status)

    def post(self):
        self.get()


@pytest.mark.parametrize(
    ("status", "requests"),
    [(429, 2), (500, 2), (501, 1), (502, 2), (503, 2), (504, 2), (505, 1), (404, 1)],
)
def test_a_webhook_is_called_again_after_some_statuses(api, status, requests):
    with played(Hook, seen=[], status=status) as hook:
        url = f"http://127.0.0.1:{hook.server_port}/hook"
        call = operation("api-call", url=url, retries=1, backoff_factor=0)
        assert api("POST", RULES, {"actions": [call], "conditions": []})[0] == 201
        inspect(api)
        assert hook.seen == ["/hook"] * requests
