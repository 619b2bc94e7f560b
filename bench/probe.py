"""One measured piece of work inside one interpreter; prints the CPU seconds it took.

``python bench/probe.py LIBRARY WORK URL``: LIBRARY is requests, baremetalclient, ironicclient
or openstacksdk; WORK is `connector` or `node` (one GET, repeated), `list` (10,000 nodes with
three attributes read), or for requests and openstacksdk `manage` (all nodes, with a wait). It
imports nothing but the library it measures, so that it runs in the peers' environment.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

CALLS = 200
MANAGE = {"target": "manage"}
PARALLEL = 10
NODE = CONNECTOR = "00000000-0000-0000-0000-000000000001"
ONE = ("connector", "node")
"""The works that are repeated."""
Work = Callable[[], object]


def read(nodes: Iterable[Any]) -> int:
    """Read three attributes of each node."""
    return sum(len(node.uuid) + len(node.name) + len(node.traits) for node in nodes)


def with_requests(url: str) -> dict[str, Work]:
    """Return the same work by a bare requests session."""
    import requests

    session = requests.Session()
    session.headers["X-OpenStack-Ironic-API-Version"] = "1.115"

    def pages() -> int:
        nodes, link = [], f"{url}/v1/nodes/detail?limit=1000"
        while link:
            body = session.get(link).json()
            nodes += body["nodes"]
            link = body.get("next")
        return sum(len(node["uuid"]) + len(node["name"]) + len(node["traits"]) for node in nodes)

    def manage() -> None:
        session.mount(url, requests.adapters.HTTPAdapter(pool_maxsize=PARALLEL))
        nodes = session.get(f"{url}/v1/nodes").json()["nodes"]
        states = [f"{url}/v1/nodes/{node['uuid']}/states/provision" for node in nodes]
        with ThreadPoolExecutor(PARALLEL) as pool:
            for response in pool.map(lambda state: session.put(state, json=MANAGE), states):
                response.raise_for_status()
        session.get(f"{url}/v1/nodes").json()

    return {
        "connector": lambda: session.get(f"{url}/v1/volume/connectors/{CONNECTOR}").json(),
        "node": lambda: session.get(f"{url}/v1/nodes/{NODE}").json(),
        "list": pages,
        "manage": manage,
    }


def with_baremetalclient(url: str) -> dict[str, Work]:
    """Return the work by this project's client."""
    from baremetalclient import client

    ironic = client.get_client(1, endpoint=url, os_ironic_api_version="1.115")
    node, connector = ironic.node, ironic.volume_connector
    return {
        "connector": lambda: connector.get(CONNECTOR),
        "node": lambda: node.get(NODE),
        "list": lambda: read(node.list(detail=True, limit=0)),
    }


def with_ironicclient(url: str) -> dict[str, Work]:
    """Return the work by python-ironicclient."""
    from ironicclient import client

    ironic = client.get_client(
        1, endpoint=url, auth_type="none", token="", os_ironic_api_version="1.112"
    )
    node, connector = ironic.node, ironic.volume_connector
    return {
        "connector": lambda: connector.get(CONNECTOR),
        "node": lambda: node.get(NODE),
        "list": lambda: read(node.list(detail=True, limit=0)),
    }


def with_openstacksdk(url: str) -> dict[str, Work]:
    """Return the work by openstacksdk."""
    import openstack

    baremetal = openstack.connect(
        auth_type="none", baremetal_endpoint_override=f"{url}/v1"
    ).baremetal

    def manage() -> None:
        nodes: list[Any] = list(baremetal.nodes())
        for node in nodes:
            baremetal.set_node_provision_state(node, "manage")
        baremetal.wait_for_nodes_provision_state(nodes, "manageable")

    return {
        "connector": lambda: baremetal.get_volume_connector(CONNECTOR),
        "node": lambda: baremetal.get_node(NODE),
        "manage": manage,
        "list": lambda: sum(
            # The UUID is called `id` there.
            len(node.id) + len(node.name) + len(node.traits)
            for node in list(baremetal.nodes(details=True))
        ),
    }


def main() -> None:
    """Do the work that the arguments name."""
    library, name, url = sys.argv[1:]
    work = globals()[f"with_{library}"](url)[name]
    repeat = CALLS if name in ONE else 1
    if name in ONE:
        work()  # opens the connection and negotiates the version
    started = time.process_time()
    for _ in range(repeat):
        work()
    print((time.process_time() - started) / repeat)


if __name__ == "__main__":
    main()
