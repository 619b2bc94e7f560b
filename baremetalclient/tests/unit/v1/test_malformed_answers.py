"""What calls make of answers that are not what the API promises."""

from __future__ import annotations

import contextlib
import inspect
import warnings
from collections.abc import Iterator
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from baremetalclient import client as clients
from baremetalclient import exc
from baremetalclient.tests.unit.hostile import HostileServer, unprintable
from baremetalclient.tests.unit.osc.everything import EVERYTHING
from baremetalclient.tests.unit.scripted import Reply, ScriptedServer
from baremetalclient.tests.unit.v1.test_calls import MANAGERS, STATES, variants

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.dictionaries(st.sampled_from(list(EVERYTHING)), inner, max_size=3)
    ),
    max_leaves=6,
)
ANSWERS = (
    JSON
    | st.builds(
        lambda name, value: {**EVERYTHING, name: value}, st.sampled_from([*EVERYTHING]), JSON
    )
    | st.binary(max_size=20)
    | st.just(b"<html><title>Log in</title></html>")
)
NODE = {"uuid": "u", "name": "n"}


@pytest.fixture(scope="module")
def server():
    with ScriptedServer() as made:
        yield made


def try_answers(server, method, wanted):
    @settings(max_examples=6, derandomize=True)
    @given(ANSWERS)
    def call(answer):
        server.script = [Reply(answer)]
        with contextlib.suppress(exc.ClientException), warnings.catch_warnings():
            warnings.simplefilter("ignore", exc.MoreResultsWarning)
            found = method(**wanted)
            if isinstance(found, Iterator):
                list(found)

    call()


@pytest.mark.rows
@pytest.mark.parametrize("manager", MANAGERS)
def test_only_exceptions_of_the_package_get_out(server, manager):
    calls = getattr(clients.get_client(1, endpoint=server.url, retry_interval=0), manager)
    for name, method in inspect.getmembers(calls, inspect.ismethod):
        if not name.startswith("_") and name not in ("watch", "act_on"):
            server.all_requests.clear()
            try_answers(server, method, arguments(name, method))
            assert len(server.requests) > 5, name


def arguments(name, method):
    """Return what a method needs."""
    wanted = variants(method)[0] | ({"timeout": 0.001} if "wait" in name else {})
    wanted |= {"state": STATES[name][0]} if "state" in wanted else {}
    wanted |= {"expected_state": "active"} if "expected_state" in wanted else {}
    return wanted | ({"condition": "deleted"} if name == "wait_for" else {})


def test_whatever_a_server_answers_no_other_server_is_asked(pytestconfig):
    problems = []
    seeds = 8 if pytestconfig.getoption("--all") else 1
    with ScriptedServer() as elsewhere:
        for manager, seed in product(MANAGERS, range(seeds)):
            with HostileServer((manager, seed), elsewhere.url) as server:
                options = {"endpoint": server.url, "retry_interval": 0, "max_retries": 1}
                client = clients.get_client(1, deadline=5, **options)
                for name, method in inspect.getmembers(getattr(client, manager), inspect.ismethod):
                    if name.startswith("_") or "wait" in name or name in ("watch", "act_on"):
                        continue
                    try:
                        found = method(**arguments(name, method))
                        list(found) if isinstance(found, Iterator) else repr(found)
                    except exc.ClientException as error:
                        if unprintable(str(error)):
                            problems.append(f"{manager}.{name} {seed}: {error}"[:300])
                    except Exception as error:
                        problems.append(f"{manager}.{name} {seed}: {error!r}"[:300])
    assert problems == [], "\n".join(problems)
    assert elsewhere.all_requests == []


@pytest.mark.parametrize(
    ("call", "answer", "flaw"),
    [
        ("get", [], "a JSON object."),
        ("get", {"uuid": None, "name": "n"}, "a node: it has a field 'uuid' that is null."),
        ("get", {"other": "n"}, "a node: it has none of its fields."),
        ("get", {"uuid": 1}, "a node: it has a field 'uuid' that is no text"),
        ("list", {"nodes": [NODE, {"other": "m"}]}, "a list of nodes: one has none of its fields."),
        ("list", {"nodes": [NODE, {}]}, "a list of nodes: one has none of its fields."),
        ("list", {"nodes": [{"uuid": 1}]}, "a list of nodes: one has a field 'uuid' that is no"),
        ("vmedia_list", {"vmedia": []}, "a list."),
        ("get_traits", {}, "an object with a list 'traits'"),
        ("get_traits", {"traits": None}, "an object with a list 'traits'"),
        ("get_traits", {"traits": [1]}, "an object with a list 'traits'"),
        ("get_bios_setting", {}, "an object with the setting 'x'"),
        ("validate", {"boot": True}, "a JSON object of objects, as 'boot' should be"),
        ("validate", {"boot": {"reason": 5}}, "valid, as 'reason' of 'boot' has another type"),
        ("vif_list", {"vifs": [{"id": "v"}, {"name": "n"}]}, "a list of VIFs: one has none of its"),
        (
            "get_vendor_passthru_methods",
            {"m": {"http_methods": 5}},
            "valid, as 'http_methods' of 'm' has another type",
        ),
    ],
)
def test_an_answer_of_another_shape_is_an_error(scripted, call, answer, flaw):
    client, server = scripted(Reply(answer))
    method = getattr(client.node, call)
    with pytest.raises(exc.InvalidResponse) as caught:
        method(**{} if call == "list" else variants(method)[0])
    assert f" (HTTP 200) is not {flaw}" in str(caught.value)
    assert f"{server.url}/v1/nodes" in str(caught.value)


@pytest.mark.parametrize("odd", [5, "x", True, [1], {"a": 1}])
def test_a_value_of_another_type_is_passed_on(scripted, odd):
    node = {**NODE, "automated_clean": odd, "extra": odd, "traits": odd, "provision_state": odd}
    client, _ = scripted(Reply(node), Reply({"nodes": [NODE, node]}))
    assert client.node.get("u").to_dict() == node
    assert client.node.list()[1].to_dict() == node


def test_a_part_of_a_resource_is_enough(scripted):
    client, _ = scripted(Reply({"name": "n"}), Reply({"nodes": [{"name": "n"}, NODE]}))
    assert client.node.get("n").to_dict() == {"name": "n"}
    assert client.node.list()[0].to_dict() == {"name": "n"}


def test_fields_that_were_not_asked_for_may_be_missing(scripted):
    client, _ = scripted(Reply({"name": "n"}), Reply({"nodes": [{"name": "n"}]}))
    assert client.node.get("n", fields=["name"]).name == "n"
    assert client.node.list(fields=["name"])[0].name == "n"


def test_null_and_unknown_fields_are_fine(scripted):
    sent = {"uuid": "u", "name": None, "extra": None, "new": [1]}
    client, _ = scripted(Reply(sent))
    assert client.node.get("n").to_dict() == sent


def test_a_field_that_was_not_sent_is_an_error_of_both_kinds(scripted):
    client, _ = scripted(Reply(NODE))
    node = client.node.get("n")
    assert not hasattr(node, "driver")
    with pytest.raises(exc.FieldMissing, match="The server sent no field 'driver'") as caught:
        _ = node.driver
    assert (caught.value.name, caught.value.obj) == ("driver", node)
    with pytest.raises(exc.FieldMissing, match=r"'drivr' for this node\. Did you mean 'driver'\?$"):
        _ = node.drivr
