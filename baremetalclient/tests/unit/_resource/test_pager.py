from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from baremetalclient import client as clients
from baremetalclient import exc
from baremetalclient.tests.unit.scripted import Reply, ScriptedServer, fault

CONNECTORS = [
    {
        "uuid": f"c{n}",
        "node_uuid": "ab"[n % 2],
        "type": ("iqn", "ip")[n % 3 == 0],
        "connector_id": f"i{n}",
    }
    for n in range(10)
]
NODES = [
    {"uuid": f"n{n}", "name": None, "traits": [t for t in ("A", "B") if n & (1 << "AB".index(t))]}
    for n in range(8)
]


class ListServer(ScriptedServer):
    """Lists as Ironic does: few filters, and a link to the next page that forgets them all."""

    def __init__(self, key, items, page_size=3, knows=("node",)):
        super().__init__()
        self.key, self.items, self.page_size = key, items, page_size
        self.knows = {"limit", "marker", "fields", "detail", "sort_key", "sort_dir", *knows}

    def reply_to(self, request):
        if request.path == "/v1":
            return Reply({})
        asked = request.query
        unknown = sorted(set(asked) - self.knows)
        if unknown:
            return fault(f"Unexpected arguments: {', '.join(unknown)}")
        items = self.items[::-1] if asked.get("sort_dir") == "desc" else self.items
        marker = asked.get("marker")
        if marker:
            items = items[[item["uuid"] for item in items].index(marker) + 1 :]
        wanted = {"node": "node_uuid", "type": "type", "connector_id": "connector_id"}
        for name, column in wanted.items():
            items = [item for item in items if asked.get(name) in (None, item.get(column))]
        size = min(int(asked.get("limit", self.page_size)), self.page_size)
        page = [dict(item) for item in items[:size]]
        if "fields" in asked:
            page = [
                {name: i[name] for name in asked["fields"].split(",") if name in i} for i in page
            ]
        else:
            page = [{name: v for name, v in i.items() if name != "traits"} for i in page]
        body = {self.key: page}
        if len(items) > size:
            body["next"] = f"{self.url}/v1/things?limit={size}&marker={items[size - 1]['uuid']}"
        return Reply(body)


@pytest.fixture(scope="module")
def ironic():
    with ListServer("connectors", CONNECTORS) as server:
        yield clients.get_client(1, endpoint=server.url, max_retries=0).volume_connector, server


@pytest.fixture(scope="module")
def spec():
    with ListServer(
        "volume_connectors", CONNECTORS, knows=("node", "type", "connector_id")
    ) as server:
        yield clients.get_client(1, endpoint=server.url, max_retries=0).volume_connector, server


def uuids(found):
    return [item.uuid for item in found]


def test_every_page_has_the_filter_though_the_link_forgets_it(ironic):
    connectors, server = ironic
    server.all_requests.clear()
    found = connectors.list(node="a", limit=0)
    assert uuids(found) == ["c0", "c2", "c4", "c6", "c8"]
    assert {request.query["node"] for request in server.requests} == {"a"}


def test_without_a_limit_there_is_a_page_and_a_warning(ironic):
    with pytest.warns(exc.MoreResultsWarning, match="first 3 volume connectors") as caught:
        assert len(ironic[0].list()) == 3
    assert caught[0].filename == __file__


def test_an_iterator_holds_one_page_at_a_time(ironic):
    connectors, server = ironic
    server.all_requests.clear()
    found = connectors.iterate(node="b")
    assert next(found).uuid == "c1"
    assert len(server.requests) == 1
    assert uuids(found) == ["c3", "c5", "c7", "c9"]


def test_an_iterator_takes_no_unknown_filter(ironic):
    with pytest.raises(exc.InvalidAttribute, match="node, type, connector_id"):
        ironic[0].iterate(colour="red")


@pytest.mark.parametrize(
    "filters",
    [
        {"type": "ip"},
        {"type": "iqn", "node": "b"},
        {"connector_id": "i4"},
        {"connector_id": "i4", "type": "ip"},
        {"type": "wwpn"},
    ],
)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    limit=st.sampled_from([None, 0, 1, 2, 3, 5]),
    marker=st.sampled_from([None, "c0", "c5", "c9"]),
    sort_dir=st.sampled_from([None, "asc", "desc"]),
    fields=st.sampled_from([None, ["uuid"], ["uuid", "type"]]),
)
@pytest.mark.filterwarnings("ignore::baremetalclient.exc.MoreResultsWarning")
def test_what_the_server_cannot_filter_the_client_does_alike(
    ironic, spec, filters, limit, marker, sort_dir, fields
):
    asked = {"limit": limit, "marker": marker, "sort_dir": sort_dir, "fields": fields, **filters}
    by_client, by_server = ironic[0].list(**asked), spec[0].list(**asked)
    assert [item.to_dict() for item in by_client] == [item.to_dict() for item in by_server]


def test_a_page_filtered_by_the_client_warns_of_more(ironic):
    with pytest.warns(exc.MoreResultsWarning):
        assert len(ironic[0].list(type="iqn")) == 3


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        ({"traits": ["A"]}, [1, 3, 5, 7]),
        ({"traits": ["A", "B"]}, [3, 7]),
        ({"traits_any": ["A", "B"]}, [1, 2, 3, 5, 6, 7]),
        ({"not_traits": ["A", "B"]}, [0, 1, 2, 4, 5, 6]),
        ({"not_traits_any": ["A", "B"]}, [0, 4]),
        ({"traits": ["A"], "not_traits": ["B"]}, [1, 5]),
    ],
)
def test_nodes_by_traits(filters, expected):
    with ListServer("nodes", NODES, knows=()) as server:
        nodes = clients.get_client(1, endpoint=server.url, max_retries=0).node
        found = nodes.list(limit=0, **filters)
        assert uuids(found) == [f"n{n}" for n in expected]
        assert all("traits" not in node for node in found)
        assert all(node.traits for node in nodes.list(limit=0, traits=["A"], fields=["traits"]))


@pytest.mark.parametrize("wrong", [[""], ["A,B"], [None]])
def test_filters_that_are_no_traits_are_refused(scripted, wrong):
    client, server = scripted()
    with pytest.raises(exc.ValidationError, match="trait"):
        client.node.list(traits=wrong)
    assert not server.requests


@pytest.mark.parametrize("manager", ["volume_connector", "node"])
def test_a_detailed_list_that_the_client_filters_asks_for_no_fields(scripted, manager):
    refused = "type" if manager == "volume_connector" else "traits"
    reply = {"connectors": CONNECTORS, "nodes": [{"uuid": "n", "traits": ["A"]}]}
    client, server = scripted(fault(f"Unexpected arguments: {refused}"), Reply(reply))
    found = getattr(client, manager).list(
        detail=True, limit=0, **{refused: "ip" if refused == "type" else ["A"]}
    )
    assert found
    assert "fields" not in server.requests[-1].query
    assert refused not in server.requests[-1].query


def page(next_link, items=({"uuid": "n1"},)):
    return Reply({"nodes": list(items), "next": next_link})


@pytest.mark.parametrize(
    "body",
    [{}, {"nodes": None}, {"nodes": {}}, {"nodes": ["n1"]}, {"ports": []}, {"nodes": [None]}],
)
@pytest.mark.parametrize("later", [False, True], ids=["first page", "second page"])
def test_a_page_without_its_list_is_an_error(scripted, body, later):
    client, server = scripted()
    server.script = [page(f"{server.url}/v1/nodes?marker=n1")] * later + [Reply(body)]
    with pytest.raises(exc.InvalidResponse, match="'nodes' should hold"):
        client.node.list(limit=0)
