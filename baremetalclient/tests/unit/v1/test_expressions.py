"""What selections, conditions and waits mean, and what is said of those that mean nothing."""

import re
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from baremetalclient import exc
from baremetalclient._bulk.expression import AllOf
from baremetalclient.tests.unit.scripted import Reply, offering
from baremetalclient.v1.expressions import selection, vocabulary
from baremetalclient.v1.node import Node, actions

PLAIN = {
    "uuid": "11111111-1111-4111-8111-111111111111",
    "name": "plain",
    "provision_state": "available",
    "power_state": "power off",
    "resource_class": "gold",
    "driver": "ipmi",
    "conductor_group": "",
    "maintenance": False,
    "protected": False,
    "retired": False,
    "instance_uuid": None,
    "owner": None,
    "traits": [],
    "description": "a, b\\c",
    "extra": {"rack": {"row": 7}, "odd key": "x"},
    "last_error": "",
}
BUSY = {
    **PLAIN,
    "uuid": "22222222-2222-4222-8222-222222222222",
    "name": "busy-1",
    "provision_state": "deploy failed",
    "power_state": None,
    "resource_class": None,
    "conductor_group": "rack",
    "maintenance": True,
    "protected": True,
    "retired": True,
    "instance_uuid": PLAIN["uuid"],
    "owner": "me",
    "lessee": "you",
    "traits": ["CUSTOM_A", "HW_GPU"],
    "parent_node": PLAIN["uuid"],
    "fault": "power failure",
    "shard": "s",
    "last_error": "No disk",
    "extra": {"list": [1, "x", None], "yes": True, "zero": 0},
}
SELECTIONS = (
    *("state=available", "provision-state=available", "provision_state=available"),
    *("STATE=available", "state = available", "state!=available", "state~=^avail"),
    *("state!~=fail", "power-state=power off", "power-state=", "power-state!="),
    *("name=plain", "name~=-\\d$", "uuid=11111111-1111-4111-8111-111111111111"),
    *("resource-class=", "resource-class!=gold", "state~=avail.*", "state!~=.*fail.*"),
    *("name~=.*-\\d", "trait~=.*GPU", "trait!~=.*GPU", "description~=a\\, b.*"),
    *("owner~=.*", "maintenance~=.*", "trait=CUSTOM_A", "trait=CUSTOM_A,trait=HW_GPU"),
    *("trait!=CUSTOM_A", "trait~=GPU", "trait=", "driver=ipmi", "owner=me", "owner="),
    *("lessee=you", "conductor-group=rack", "conductor-group=", "conductor=here"),
    *("chassis=c", "shard=s", "shard=", "fault=power failure"),
    *("instance=11111111-1111-4111-8111-111111111111", "instance=", "parent-node!="),
    *("description=a\\, b\\\\c", "description~=a\\, b", "maintenance", "!maintenance"),
    *("retired", "!retired", "protected", "!protected", "associated", "!associated"),
    *("! maintenance", " maintenance ", "state=available,maintenance", "state=a,state=b"),
    *("maintenance=true", "maintenance!=x", "colour=red", "colour", "!colour", "!state"),
    *("state", "", ",", "state=available,", "name~=(", "name~=", "=x", "~=x", "!=x"),
    *("name=a=b", "stat=x"),
)
SEVERAL = (
    ("state=available", "state=deploy failed"),
    ("state=available,driver=ipmi", "driver=ipmi,maintenance"),
    ("trait=CUSTOM_A,owner=me", "trait=CUSTOM_A"),
    ("maintenance", "!maintenance"),
)


def told(call, *arguments):
    """Return what a call returns, or the message of its exception."""
    try:
        return call(*arguments)
    except exc.ClientException as error:
        return f"{type(error).__name__}: {error}"


def brief(found):
    """Return the part of a message that says what is wrong, without what is quoted."""
    return re.sub(r"Expression '.*?': ", "", str(found)).partition(". ")[0][:66]


def selected(client, server):
    found = {}
    for texts in [*((text,) for text in SELECTIONS), *SEVERAL]:
        server.all_requests.clear()
        names = told(lambda words: [node.name for node in client.node.select(*words)], texts)
        targets = [one.target.removeprefix("/v1/nodes?fields=uuid,name") for one in server.requests]
        found[" | ".join(texts)] = [f"{brief(names)} {' '.join(targets)}".strip()]
    return found


def test_selections_are_as_recorded(recorded, scripted):
    reply = Reply({"nodes": [PLAIN, BUSY]})
    newest = selected(*scripted(reply))
    old = selected(*scripted(reply, versions=offering("1.30")))
    recorded(newest)
    recorded({text: found for text, found in old.items() if found != newest[text]}, "1.30")


CONDITIONS = (
    *("provision_state=available", "provision_state = available"),
    *("provision_state!=available", "name=plain or name=busy-1"),
    *("name=x or name=plain and driver=ipmi", "name=x and name=plain"),
    *("traits contains CUSTOM_A", "traits=[]", "traits=", "traits!="),
    *('traits=["CUSTOM_A","HW_GPU"]', "extra contains rack", "extra/rack/row=7"),
    *("extra/rack/row=07", 'extra/rack/row="7"', "extra/rack/row!=7", "extra/none/row="),
    *("extra/none/row=null", "extra/list contains x", "extra/list contains 1"),
    *("extra/list contains null", "extra/yes=true", "extra/yes=yes", "extra/yes=1"),
    *("extra/zero=0", "extra/zero=", "extra/zero=false", "maintenance=false"),
    *("maintenance=no", "maintenance=", "owner=", "owner=null", "owner=None", "owner=none"),
    *("last_error=", "last_error contains disk", "last_error contains Disk"),
    *("name contains us", 'description="a, b\\\\c"', 'name="busy-1"'),
    *('name="plain" and driver="ipmi"', "deleted", "deleted or name=plain", "deleted=x"),
    *("deleted and name=plain", "provision_state=deploy failed", "", " ", "name", "name="),
    *("name==x", "=x", "name=x and", "name=x or", "and", "name=x name=y", 'name="x'),
    *('name="x" y', "name contains", "name contains ", "names=x", "name = x and or"),
    *("extra/odd key=x", "name is x", "name=x  and  driver=ipmi", "name=and", 'name="and"'),
)
STATES = ("available", "deploy failed", "error", "x", "")


def meaning(*texts):
    condition = AllOf(texts, vocabulary(Node.resource_type))
    holds = [condition.holds(item) for item in (PLAIN, BUSY, None)]
    field = "provision_state"
    states = [state for state in STATES if condition.names_state(field, state)]
    return f"{', '.join(condition.fields())}: {holds} {states or ''}"


def test_conditions_are_as_recorded(recorded):
    found = {text: brief(told(meaning, text)).strip() for text in CONDITIONS}
    found["two"] = told(meaning, "name=plain", "driver=ipmi or driver=x")
    recorded(found)


GOALS = {
    "manageable": actions.provision_state("manageable"),
    "deploy failed": actions.provision_state("deploy failed"),
    "power on": actions.power_state("power on"),
    "deleted": actions.DELETED,
}
NODES = [
    None,
    *(
        {"provision_state": state, "target_provision_state": target, "last_error": error}
        | {"power_state": power, "target_power_state": going}
        for (state, target), error, (power, going) in product(
            (
                *(("manageable", None), ("verifying", "manageable"), ("enroll", None)),
                *(("deploy failed", None), ("deploy failed", "active"), ("error", "available")),
            ),
            (None, "Broken"),
            (("power on", None), ("power on", "power off"), ("power off", "power on")),
        )
        if state == "manageable" or going is None
    ),
]


@pytest.mark.parametrize("name", GOALS)
def test_verdicts_are_as_recorded(recorded, name):
    found = {}
    for fields in NODES:
        verdict = GOALS[name].verdict(fields or None)
        told_of = "gone" if fields is None else ", ".join(map(str, fields.values()))
        found[told_of] = f"{verdict.outcome} {verdict.reason or ''}".strip()
    recorded(found)


def matches(*expressions, **changes):
    return selection(Node.resource_type, expressions).matches({**PLAIN, **changes})


@given(st.sampled_from(["name", "owner", "description", "driver"]), st.text(max_size=30))
def test_any_value_can_be_written(key, value):
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    written = f'"{escaped}"'
    assert matches(f"{key}={written}", **{key: value})
    assert not matches(f"{key}={written}", **{key: value + "x"})


def test_fields_that_lists_cannot_have_need_a_detailed_list():
    # Ironic fails at a list with fields=conductor.
    assert "conductor" in selection(Node.resource_type, ["conductor~=rack.*"]).fields
    assert selection(Node.resource_type, ["conductor=rack1.example.com"]).fields == ()


def test_a_second_value_for_one_filter_is_compared_here():
    chosen = selection(Node.resource_type, ["conductor=a,conductor=b"])
    assert chosen.fields == ("conductor",)
    assert not chosen.matches({"conductor": "a"})


def test_all_words_are_fields_of_nodes():
    known = vocabulary(Node.resource_type)
    fields = {*known.aliases.values(), *known.filters, *known.set_filters, *known.always_set}
    assert fields <= set(Node.resource_type.by_name)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("state=availble", "Unknown provision state 'availble'. Did you mean 'available'?"),
        ("power-state!=power of", "Unknown power state 'power of'. Did you mean 'power off'?"),
        ("boot_mode=eufi", "Unknown boot mode 'eufi'. Did you mean 'uefi'?"),
        ("fault=power", "Unknown fault 'power'."),
        ("health=bad", "Unknown health 'bad'."),
        ("target_power_state=rebootin", "Did you mean 'rebooting'?"),
        ("state", "'state' alone is true of each node, whose provision_state is never empty."),
        ("name=n and !uuid", "Compare it with a value: 'uuid=…'"),
        ("driver or name=n", "Compare it with a value: 'driver=…'"),
        ("maintenance=maybe", "'maintenance' is true or false, and not 'maybe'"),
    ],
)
def test_values_of_closed_sets_are_checked_before_anything_is_sent(scripted, text, told):
    client, server = scripted()
    for call in (client.node.select, lambda one: client.node.wait_for("n", one)):
        with pytest.raises(exc.ValidationError, match=re.escape(told)) as caught:
            call(text)
        assert re.search(r"[^.?][.?]$", str(caught.value))
    with pytest.raises(exc.ValidationError):
        client.node.watch(select=text)
    assert server.all_requests == []


def test_a_pattern_may_name_newer_states(scripted):
    client, _ = scripted(Reply({"nodes": [{**PLAIN, "provision_state": "dancing"}]}))
    (found,) = client.node.select("state~=danc.*")
    assert found.name == "plain"


def test_nodes_that_are_called_by_name_are_fetched_without_the_others(scripted):
    client, server = scripted(Reply(PLAIN))
    assert [node.name for node in client.node.select("name=plain,driver=ipmi")] == ["plain"]
    assert client.node.select(f"uuid={PLAIN['uuid']},name=other") == []
    assert [one.path for one in server.requests] == [
        "/v1/nodes/plain",
        f"/v1/nodes/{PLAIN['uuid']}",
    ]


def test_children_are_selected_if_the_version_has_them(scripted):
    client, server = scripted(Reply({"nodes": [PLAIN]}))
    client.node.select()
    assert server.requests[-1].query["include_children"] == "True"
    client, server = scripted(Reply({"nodes": [PLAIN]}), versions=offering("1.82"))
    assert len(client.node.select()) == 1
    assert "include_children" not in server.requests[-1].query


@pytest.mark.parametrize("method", ["list", "iterate"])
def test_filters_by_keyword_are_checked_alike(scripted, method):
    client, _ = scripted()
    with pytest.raises(exc.ValidationError, match="Did you mean 'power failure'"):
        list(getattr(client.node, method)(fault="power failur"))
