from __future__ import annotations

import pytest

from baremetalclient import exc
from baremetalclient.osc.sorting import SortKey, parse_sort, sort_items
from baremetalclient.tests.unit.osc.conftest import HERE
from baremetalclient.tests.unit.scripted import Reply

NODE = "1be26c0b-03f2-4d2e-ae87-c02d7f33c781"


CONNECTOR = {
    "uuid": "9bf93e01-d728-47a3-ad4b-5e66a835037c",
    "node_uuid": NODE,
    "type": "iqn",
    "connector_id": "iqn.2017-05.org.openstack:01",
    "extra": {"n": 1},
    "created_at": "2026-01-01T00:00:00+00:00",
    "updated_at": None,
    "links": [],
}


def connectors(*items, **more):
    return Reply({"connectors": list(items), **more})


def test_the_spellings_of_the_specification(run):
    done = run(
        *("volume", "target", "create", "--node", NODE, "--type=iscsi", "--volume_id=v"),
        *("--properties", "a=b", "--boot_index", "0"),
        script=(Reply({}, 201),),
    )
    assert done.requests[0].json == {
        "node_uuid": NODE,
        "volume_type": "iscsi",
        "volume_id": "v",
        "properties": {"a": "b"},
        "boot_index": 0,
    }
    assert "volume_id" not in run("volume", "target", "create", "--help").out


def test_chosen_fields_are_fetched_and_shown_in_this_order(run):
    words = ("volume", "connector", "list", "--fields", "type", "uuid", "type", "-f", "csv")
    done = run(*words, script=(connectors(CONNECTOR),))
    assert done.requests[0].query == {"fields": "type,uuid"}
    assert done.out.splitlines()[0] == '"type","uuid"'


def test_the_server_sorts_before_it_cuts(run):
    words = ("volume", "connector", "list", "--sort", "connector_id:desc", "--limit", "1")
    done = run(*words, script=(connectors(CONNECTOR),))
    assert done.requests[0].query == {
        "sort_key": "connector_id",
        "sort_dir": "desc",
        "limit": "1",
    }


@pytest.mark.parametrize("order", ["node_uuid:desc", "type,node_uuid:desc"])
def test_what_the_server_cannot_sort_is_sorted_before_it_is_cut(run, order):
    rows = [{**CONNECTOR, "uuid": str(n), "node_uuid": f"node-{n}"} for n in range(3)]
    words = ("volume", "connector", "list", "--sort", order, "--limit", "1")
    done = run(*words, "-f", "value", "-c", "uuid", script=(connectors(*rows),))
    assert "limit" not in done.requests[0].query
    assert done.out == "2\n"


def test_sorting_by_what_is_not_shown(run):
    rows = [{"uuid": "1", "extra": {"b": 1}}, {"uuid": "2", "extra": {"a": 1}}]
    words = ("volume", "connector", "list", "--sort", "extra", "--fields", "uuid", "-f", "value")
    done = run(*words, script=(connectors(*rows),))
    assert done.requests[0].query["fields"] == "uuid,extra"
    assert done.out == "2\n1\n"


@pytest.mark.parametrize("order", ["updated_at,name", "extra"])
def test_allocations_are_sorted_though_they_have_no_detailed_list(run, order):
    rows = [
        {"uuid": "b", "name": "b", "updated_at": "2026-01-02", "extra": {"a": 2}},
        {"uuid": "a", "name": "a", "updated_at": "2026-01-01", "extra": {"a": 1}},
    ]
    words = ("allocation", "list", "--sort", order, "-f", "value", "-c", "uuid")
    done = run(*words, script=(Reply({"allocations": rows}),))
    assert (done.code, done.out.split()) == (0, ["a", "b"]), done.err
    assert done.requests[0].query == {}


def test_more_than_a_page_is_a_warning_on_stderr(run):
    page = connectors(CONNECTOR, next=f"{HERE}/v1/volume/connectors?marker=x")
    done = run("volume", "connector", "list", "-f", "value", "-c", "uuid", script=(page,))
    assert done.code == 0
    assert done.out == CONNECTOR["uuid"] + "\n"
    assert "there are more" in done.err
    assert len(done.requests) == 1


@pytest.mark.parametrize("column", ["Node UUID", "node uuid", "node_uuid", "NODE_UUID"])
@pytest.mark.parametrize("verb", [["list"], ["show", "x"]])
def test_columns_are_chosen_by_label_or_by_name(run, column, verb):
    script = (connectors(CONNECTOR) if verb == ["list"] else Reply(CONNECTOR),)
    done = run("volume", "connector", *verb, "-f", "value", "-c", column, script=script)
    assert (done.code, done.out, done.err) == (0, f"{NODE}\n", "")


def test_sorting_by_a_label(run):
    items = [{"uuid": word, "provision_state": state} for word, state in [("a", "y"), ("b", "x")]]
    words = ("node", "list", "-f", "value", "-c", "uuid", "--sort-column", "Provisioning State")
    assert run(*words, script=(Reply({"nodes": items}),)).out == "b\na\n"


def test_unset(run):
    words = ("volume", "target", "unset", "x", "--boot-index", "--property", "a", "--extra", "b")
    done = run(*words, script=(Reply({}),))
    assert done.requests[0].json == [
        {"op": "remove", "path": "/properties/a"},
        {"op": "remove", "path": "/boot_index"},
        {"op": "remove", "path": "/extra/b"},
    ]


def test_keys_and_directions():
    assert parse_sort("name:desc,uuid") == [SortKey("name", "desc"), SortKey("uuid")]
    assert parse_sort(None) == []


@pytest.mark.parametrize("text", ["name:down", ":asc", "name,", "name:"])
def test_invalid_values(text):
    with pytest.raises(exc.CommandError, match="of --sort"):
        parse_sort(text)


def test_several_keys_and_nulls_first():
    rows = [{"a": 2, "b": "x"}, {"a": None, "b": "y"}, {"a": 1, "b": "x"}]
    assert sort_items(rows, parse_sort("b,a:desc")) == [rows[0], rows[2], rows[1]]
    assert [row["a"] for row in sort_items(rows, parse_sort("a"))] == [None, 1, 2]


def test_values_of_several_types_can_be_sorted():
    rows = [{"a": {"x": 1}}, {"a": 3}, {"a": "b"}, {}]
    assert [row.get("a") for row in sort_items(rows, parse_sort("a"))] == [None, 3, "b", {"x": 1}]
