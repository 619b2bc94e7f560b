"""A cached response is the same as a new one."""

from __future__ import annotations

import json
from io import BytesIO
from itertools import count
from uuid import uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fake_server.baremetal.api.response_cache import LONGEST, MOST_BYTES, CacheKey, ResponseCache
from fake_server.common.wsgi import Request, Response
from fake_server.db.schema import metadata
from fake_server.db.store import Store
from fake_server.tests.baremetal.api import LATEST, Api

MAC = "52:54:00:00:00:0{}"
ASKED = (
    "/v1",
    "/v1/nodes",
    "/v1/nodes/detail",
    "/v1/nodes?provision_state=active",
    "/v1/nodes/a",
    "/v1/nodes/b",
    "/v1/ports?detail=True",
    "/v1/portgroups/detail",
    "/v1/chassis",
    "/v1/volume/connectors?detail=True",
    "/v1/volume/targets",
    "/v1/allocations",
)
NODES = st.sampled_from(["a", "b"])
STEPS = st.one_of(
    st.tuples(st.just("patch"), NODES, st.sampled_from(["extra/k", "description"])),
    st.tuples(st.just("traits"), NODES, st.sampled_from([[], ["CUSTOM_A"]])),
    st.tuples(st.just("power"), NODES, st.sampled_from(["power on", "power off"])),
    st.tuples(
        st.just("provision"),
        NODES,
        st.sampled_from(["manage", "provide", "active", "deleted", "inspect", "adopt"]),
    ),
    st.tuples(st.just("port"), NODES, st.integers(0, 9)),
    st.tuples(st.just("connector"), NODES, st.integers(0, 9)),
    st.tuples(st.just("allocation"), st.just(""), st.just(None)),
    st.tuples(st.just("delete"), NODES, st.just(None)),
    st.tuples(st.just("advance"), st.just(""), st.sampled_from([0.5, 2, 30, 4000])),
    st.tuples(st.just("snapshot"), st.just(""), st.just(None)),
    st.tuples(st.just("restore"), st.just(""), st.just(None)),
    st.tuples(st.just("reset"), st.just(""), st.just(None)),
    st.tuples(st.just("seed"), st.just(""), st.just(None)),
)


class Lab:
    """A server with two nodes that take their time, and what can be done to it."""

    def __init__(self):
        self.api = Api(delay=1.0)
        self.snapshots = []
        self._numbers = count()
        for name in ("a", "b"):
            self.api.enrol(name, resource_class="baremetal")
            self.api.provision("manage", ident=name)

    def uuid(self, node):
        """Return the UUID of a node, another one if it is gone."""
        found = self.api("GET", f"/v1/nodes/{node}?fields=uuid")[1]
        return found["uuid"] if "uuid" in found else str(uuid4())

    def do(self, what, node, value):
        getattr(self, what)(node, value)

    def patch(self, node, path):
        self.api.patch(path, f"v{next(self._numbers)}", node)

    def traits(self, node, traits):
        self.api("PUT", f"/v1/nodes/{node}/traits", {"traits": traits})

    def power(self, node, target):
        self.api("PUT", f"/v1/nodes/{node}/states/power", {"target": target})

    def provision(self, node, verb):
        self.api.provision(verb, ident=node)

    def port(self, node, number):
        body = {"node_uuid": self.uuid(node), "address": MAC.format(number)}
        self.api("POST", "/v1/ports", body)

    def connector(self, node, number):
        body = {"node_uuid": self.uuid(node), "type": "iqn", "connector_id": f"{number}"}
        self.api("POST", "/v1/volume/connectors", body)

    def allocation(self, _node, _value):
        self.api("POST", "/v1/allocations", {"resource_class": "baremetal"})

    def delete(self, node, _value):
        self.api("DELETE", f"/v1/nodes/{node}")

    def advance(self, _node, seconds):
        self.api.clock.advance(seconds)

    def snapshot(self, _node, _value):
        self.snapshots.append(self.api.app.control.snapshots.take())

    def restore(self, _node, _value):
        if self.snapshots:
            self.api.app.control.snapshots.restore(self.snapshots[-1])

    def reset(self, _node, _value):
        self.api.app.control.reset()
        self.snapshots.clear()

    def seed(self, _node, _value):
        seed = {"nodes": [{"name": f"s{next(self._numbers)}"}]}
        self.api.app.control.seeds.load(seed)

    def ask(self, path, accept, version=LATEST, host="fake"):
        """Return the answer to a client that takes this media type."""
        path, _, query = path.partition("?")
        environ = {
            "REQUEST_METHOD": "GET",
            "PATH_INFO": path,
            "QUERY_STRING": query,
            "wsgi.input": BytesIO(),
            "wsgi.url_scheme": "http",
            "HTTP_HOST": host,
            "HTTP_ACCEPT": accept,
            "HTTP_X_OPENSTACK_IRONIC_API_VERSION": version,
        }
        response = self.api.app.answer(Request(environ))
        headers = [pair for pair in response.headers if "request-id" not in pair[0]]
        return response.status, headers, json.loads(response.body)

    def ask_anew(self, path):
        """Return the answer to a client as there was none before."""
        return self.ask(path, f"application/json, x/{next(self._numbers)}")


@given(st.lists(STEPS, max_size=8))
def test_whatever_happens_in_between_an_answer_is_of_now(steps):
    lab = Lab()
    for what, node, value in steps:
        for path in ASKED:
            lab.ask(path, "*/*")
        lab.do(what, node, value)
        for path in ASKED:
            assert lab.ask(path, "*/*") == lab.ask_anew(path)


@pytest.fixture
def lab():
    return Lab()


def test_the_same_address_in_another_version_is_another_question(lab):
    assert "owner" in lab.ask("/v1/nodes/a", "*/*")[2]
    assert "owner" not in lab.ask("/v1/nodes/a", "*/*", version="1.49")[2]
    assert lab.ask("/v1/nodes/a", "*/*", version="1.4")[0] == 404


def test_links_lead_back_to_where_the_question_went(lab):
    first, second = (
        lab.ask("/v1/nodes/a", "*/*", host=host)[2]["links"][0]["href"] for host in ("x", "y")
    )
    assert (first.split("/")[2], second.split("/")[2]) == ("x", "y")


def test_an_empty_host_stays_empty_in_links(lab):
    assert lab.ask("/v1/nodes/a", "*/*", host="")[2]["links"][0]["href"].startswith("http:///v1/")


def test_each_answer_has_a_request_id_of_its_own(lab):
    def request_id():
        environ = {"REQUEST_METHOD": "GET", "PATH_INFO": "/v1", "wsgi.url_scheme": "http"}
        response = lab.api.app.answer(Request({**environ, "HTTP_HOST": "fake"}))
        return [value for name, value in response.headers if name == "openstack-request-id"]

    ids = [request_id(), request_id()]
    assert len(ids[0]) == 1
    assert ids[0] != ids[1]


def test_a_long_response_is_not_cached():
    store = Store(metadata)
    cache = ResponseCache(store)
    cache.store("long", Response(200, b"x" * (LONGEST + 1)))
    cache.store("short", Response(200, b"x"))
    assert cache.find("long") is None
    assert cache.find("short").body == b"x"
    store.close()


def test_the_cache_has_a_limit():
    store = Store(metadata)
    cache = ResponseCache(store)
    number = 2 * MOST_BYTES // LONGEST
    for key in range(number):
        cache.store(key, Response(200, b"x" * LONGEST))
    cached = [key for key in range(number) if cache.find(key)]
    assert 0 < len(cached) <= MOST_BYTES // LONGEST + 1
    assert number - 1 in cached
    store.close()


def test_nothing_is_cached_of_a_database_that_others_may_change(tmp_path):
    store = Store(metadata, f"sqlite:///{tmp_path}/db")
    cache = ResponseCache(store)
    cache.store("key", Response(200, b"x"))
    assert cache.find("key") is None
    store.close()


def test_only_a_get_without_a_body_asks_what_can_be_known():
    environ = {"REQUEST_METHOD": "GET", "PATH_INFO": "/v1", "wsgi.url_scheme": "http"}
    environ["HTTP_HOST"] = "fake"
    with_body = {"CONTENT_LENGTH": "2", "wsgi.input": BytesIO(b"{}")}
    assert CacheKey.of(Request(environ)) is not None
    assert CacheKey.of(Request({**environ, **with_body})) is None


@pytest.mark.parametrize("method", ["HEAD", "POST"])
def test_other_methods_are_not_answered_from_what_is_known(monkeypatch, method):
    api = Api()
    api("GET", "/v1/nodes")
    known = Response(200, b'{"nodes": "known"}')
    monkeypatch.setattr(ResponseCache, "find", lambda *_: known)
    assert api("GET", "/v1/nodes")[1] == {"nodes": "known"}
    assert api(method, "/v1/nodes", {} if method == "POST" else None)[1] != {"nodes": "known"}
