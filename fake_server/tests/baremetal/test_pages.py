"""Lists cut into pages: every item once, in order, however many there are and fit on a page.

A list without a limit is what pages have to add up to. Ironic shows a thousand items at most.
"""

from __future__ import annotations

from typing import NamedTuple

import pytest

from fake_server.baremetal.tables import node_history, nodes
from fake_server.db import bulk
from fake_server.tests.baremetal.api import Api

#: What Ironic's ``[api]max_limit`` is by default.
_MOST = 1000


class Pager(NamedTuple):
    """A list of five things.

    :param path: its address, with a filter that all of them pass where there is one.
    :param sort_keys: fields to sort by; in the last, several of them are equal.
    """

    path: str
    sort_keys: tuple[str, ...]
    key: str = "uuid"


PAGERS = (
    Pager("nodes", ("name", "uuid", "resource_class")),
    Pager("nodes?driver=fake-hardware", ("name", "created_at", "resource_class")),
    Pager("nodes?owner=me", ("name", "resource_class")),
    Pager("nodes?detail=true", ("uuid", "power_state")),
    Pager("nodes?fields=name,uuid", ("name", "driver")),
    Pager("nodes?shard=s,t", ("name", "shard")),
    Pager("nodes?parent_node=<parent>", ("uuid", "resource_class")),
    Pager("nodes?chassis_uuid=<chassis>", ("name", "driver")),
    Pager("nodes?resource_class=gold", ("name", "resource_class")),
    Pager("nodes/detail", ("name", "provision_state")),
    Pager("chassis/<chassis>/nodes", ("name", "driver")),
    Pager("ports", ("address", "uuid", "pxe_enabled")),
    Pager("ports?node=n0", ("address", "pxe_enabled")),
    Pager("ports?node_uuid=<n0>", ("address", "physical_network")),
    Pager("ports?portgroup=<g>", ("address", "pxe_enabled")),
    Pager("ports/detail", ("address", "is_smartnic")),
    Pager("ports?shard=t,s", ("address", "pxe_enabled")),
    Pager("nodes/<n0>/ports", ("address", "pxe_enabled")),
    Pager("portgroups/<g>/ports", ("address", "pxe_enabled")),
    Pager("portgroups", ("name", "mode")),
    Pager("portgroups?node=n0", ("name", "mode")),
    Pager("nodes/<n0>/portgroups", ("name", "mode")),
    Pager("portgroups/detail", ("uuid", "mode")),
    Pager("volume/connectors", ("connector_id", "type")),
    Pager("volume/connectors?node=n0", ("connector_id", "type")),
    Pager("nodes/<n0>/volume/connectors", ("connector_id", "type")),
    Pager("volume/targets", ("volume_id", "volume_type")),
    Pager("volume/targets?node=n0&detail=true", ("boot_index", "volume_type")),
    Pager("nodes/<n0>/volume/targets", ("boot_index", "volume_type")),
    Pager("chassis", ("description", "uuid")),
    Pager("chassis/detail", ("uuid", "created_at")),
    Pager("allocations", ("name", "state")),
    Pager("allocations?state=error", ("name", "resource_class")),
    Pager("allocations?owner=me", ("name", "state")),
    Pager("deploy_templates", ("name", "created_at")),
    Pager("runbooks", ("name", "created_at")),
    Pager("inspection_rules", ("description", "phase")),
    Pager("nodes/n0/history", ("created_at", "severity")),
)


@pytest.fixture(scope="module")
def api():
    made = Api()
    ids = {"chassis": made("POST", "/v1/chassis", {"description": "c0"})[1]["uuid"]}
    for number in range(4):
        made("POST", "/v1/chassis", {"description": f"c{4 - number}"})
    for number in (3, 1, 4, 0, 2):
        name = f"n{number}"
        shard = {"shard": "st"[number % 2], "chassis_uuid": ids["chassis"]}
        ids[name] = made.enrol(name, **shard, resource_class="gold")
        made("PUT", f"/v1/nodes/{name}/states/power", {"target": "power off"})
    # The third of each kind is made first, so that no order is that of the ids by chance.
    for number in (3, 1, 4, 0, 2):
        create(made, "nodes", driver="fake-hardware", parent_node=ids["n0"])
        group = create(made, "portgroups", name=f"g{number}", node_uuid=ids["n0"])
        ids["g"] = ids.get("g", group)
    for number in (3, 1, 4, 0, 2):
        port = {"address": f"52:54:00:00:00:0{number}", "portgroup_uuid": ids["g"]}
        create(made, "ports", node_uuid=ids["n0"], **port)
        connector = {"type": "iqn" if number % 2 else "ip", "connector_id": f"c{number}"}
        create(made, "volume/connectors", node_uuid=ids["n0"], **connector)
        target = {"volume_type": "iscsi", "volume_id": f"v{number}", "boot_index": number}
        create(made, "volume/targets", node_uuid=ids["n0"], **target)
        create(made, "allocations", name=f"a{number}", resource_class="none", owner="me")
        step = {"interface": "bios", "step": "factory_reset", "args": {}}
        template = {"name": f"CUSTOM_T{number}", "steps": [step | {"priority": 1}]}
        create(made, "deploy_templates", **template)
        create(made, "runbooks", name=f"r{number}", steps=[step | {"order": 1}])
        actions = [{"op": "set-attribute", "args": {"path": "/extra/a", "value": 1}}]
        create(made, "inspection_rules", description=f"i{number}", actions=actions, conditions=[])
    with made.app.store.transaction() as tx:
        node = tx.get(nodes, name="n0")
        entry = {"node_id": node["id"], "event": "e", "severity": "INFO", "user": "u"}
        happened = {"created_at": node["created_at"]}
        uuids = [{"uuid": f"0000000{number}-0000-4000-8000-000000000000"} for number in range(5)]
        bulk.insert(tx, node_history, (entry | happened | uuid for uuid in uuids))
    for number in range(5):
        made.patch("owner", "me", ident=f"n{number}")
    made.ids = ids | {"parent": ids["n0"]}
    yield made
    made.app.close()


def create(api, kind, **body):
    status, answer = api("POST", f"/v1/{kind}", body)
    assert status == 201, answer
    return answer["uuid"]


def listed(api, path, query=""):
    """Return what a list shows, and where it goes on."""
    for name, ident in api.ids.items():
        path = path.replace(f"<{name}>", ident)
    path = f"{path}{'&' if '?' in path else '?'}{query}" if query else path
    status, answer = api("GET", f"/v1/{path}")
    assert status == 200, (path, answer)
    following = answer.pop("next", None)
    (items,) = (value for value in answer.values() if isinstance(value, list))
    return items, following


@pytest.mark.parametrize("pager", PAGERS, ids=lambda pager: pager.path)
def test_pages_add_up_to_the_list(api, pager):
    for sort_key in ("", *pager.sort_keys):
        for order in ("asc", "desc"):
            sorting = f"sort_key={sort_key or 'id'}&sort_dir={order}"
            whole, more = listed(api, pager.path, sorting)
            assert more is None
            idents = [item[pager.key] for item in whole]
            assert len(set(idents)) == len(idents) >= 5, (pager.path, sort_key)
            around = () if sort_key else (len(whole) - 1, len(whole), len(whole) + 1)
            for size in (1, 2, *around):
                found, marker = [], ""
                for _ in range(2 * len(whole)):
                    page, more = listed(api, pager.path, f"{sorting}&limit={size}{marker}")
                    assert len(page) <= size
                    # A page that is full may be followed by another one.
                    assert bool(more) == (len(page) == size)
                    found += [item[pager.key] for item in page]
                    if not more:
                        break
                    marker = f"&marker={found[-1]}"
                    assert f"limit={size}" in more
                assert found == idents, (pager.path, sorting, size)


@pytest.mark.parametrize("pager", PAGERS, ids=lambda pager: pager.path)
def test_a_list_is_sorted_and_what_is_equal_stands_as_it_was_made(api, pager):
    made = [item[pager.key] for item in listed(api, pager.path)[0]]
    details = {}
    if "detail" not in pager.path and "fields" not in pager.path and "chassis/" not in pager.path:
        details = {item[pager.key]: item for item in detailed(api, pager.path)}
    for sort_key in pager.sort_keys:
        rows = [details[ident] for ident in made if sort_key in details.get(ident, ())]
        if len(rows) < len(made) or any(row[sort_key] is None for row in rows):
            continue
        for order in ("asc", "desc"):
            sorting = f"sort_key={sort_key}&sort_dir={order}"
            found = [item[pager.key] for item in listed(api, pager.path, sorting)[0]]
            placed = sorted(
                ((row[sort_key], place) for place, row in enumerate(rows)), reverse=order == "desc"
            )
            expected = [rows[place][pager.key] for _, place in placed]
            assert found == expected, (pager.path, sorting)


def detailed(api, path):
    """Return a list with all fields, where it has a query for that."""
    kind = path.partition("?")[0].rpartition("/")[2]
    has_detail = kind not in ("allocations", "history")
    return listed(api, path, "detail=true" if has_detail else "")[0]


@pytest.mark.parametrize("number", [0, 1, _MOST - 1, _MOST, _MOST + 1, 2 * _MOST + 1])
def test_a_list_shows_a_thousand_items_at_most(number):
    api = Api()
    api.ids = {}
    api.enrol("first")
    with api.app.store.transaction() as tx:
        (row,) = tx.rows(nodes, "id")
        rows = (
            row | {"id": 2 + one, "uuid": f"n{one}", "name": f"n{one}"} for one in range(number)
        )
        bulk.insert(tx, nodes, rows)
        tx.remove(nodes, id=1)
    for query in ("", "limit=5000", f"limit={_MOST + 1}"):
        page, more = listed(api, "nodes", query)
        assert [item["name"] for item in page] == [f"n{one}" for one in range(min(number, _MOST))]
        assert bool(more) == (number >= _MOST)
        assert more is None or more.endswith(f"limit={_MOST}&marker=n{_MOST - 1}")
    api.app.close()
