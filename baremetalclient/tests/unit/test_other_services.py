"""The clients of Cinder and Nova: what they send, and what they say when it goes wrong."""

from __future__ import annotations

import time

import pytest
from keystoneauth1.noauth import NoAuth
from keystoneauth1.session import Session

from baremetalclient import exc
from baremetalclient._http.retry import RetryPolicy
from baremetalclient.block_storage.lookup import find_volume
from baremetalclient.client import use_clock
from baremetalclient.compute.service import Compute
from baremetalclient.tests.unit.scripted import Reply, ScriptedServer, fault

COMPUTE = Reply({"version": {"min_version": "2.1", "version": "2.105"}})


def test_headers_of_the_client_reach_all_services(scripted):
    options = {
        "additional_headers": {"X-Trace": "t"},
        "global_request_id": "req-1",
        "token": "t",
    }
    client, server = scripted(
        Reply({"nodes": []}), Reply({"attachments": []}), COMPUTE, Reply({"flavors": []}), **options
    )
    client.node.list()
    client.block_storage(f"{server.url}/volume/v3").attachments()
    client.compute(f"{server.url}/compute/v2.1").flavors()
    assert len(server.all_requests) == 4
    for request in server.all_requests:
        assert request.headers["x-trace"] == "t"
        assert request.headers["x-openstack-request-id"] == "req-1"


@pytest.mark.parametrize(
    ("path", "base"),
    [
        ("", "/v2.1"),
        ("/", "/v2.1"),
        ("/compute", "/compute/v2.1"),
        ("/compute/v2.1/", "/compute/v2.1"),
        ("/v2/0123", "/v2/0123"),
        ("/v2-cloud", "/v2-cloud/v2.1"),
        ("/v20", "/v20/v2.1"),
    ],
)
@pytest.mark.parametrize("host", ["cloud.example.com", "v2-cloud.example.com"])
def test_the_version_follows_the_endpoint_unless_its_path_has_one(requests_mock, host, path, base):
    there = f"http://{host}{base}"
    requests_mock.get(there, json=COMPUTE.body)
    requests_mock.get(f"{there}/", json=COMPUTE.body)
    requests_mock.get(f"{there}/flavors", json={"flavors": []})
    session = Session(auth=NoAuth())
    assert Compute(session, f"http://{host}{path}").flavors() == []


def test_created_servers_that_cannot_be_fetched_are_reported(scripted):
    client, server = scripted(COMPUTE, Reply({"reservation_id": "r-1"}, 202), fault("No.", 500))
    compute = client.compute(f"{server.url}/v2.1")
    with pytest.raises(exc.LeftBehind, match=r"are being created.*'r-1'"):
        compute.create("web", "flavor")
    assert [request.method for request in server.all_requests] == ["GET", "POST", "GET"]


@pytest.mark.parametrize(
    ("boot_index", "sources"),
    [(None, ["image", "volume"]), (1, ["image", "volume"]), (0, ["volume"])],
)
def test_an_image_is_one_of_the_devices_where_there_are_others(scripted, boot_index, sources):
    client, server = scripted(COMPUTE, Reply({"reservation_id": "r-1"}, 202), fault("No.", 500))
    compute = client.compute(f"{server.url}/v2.1")
    volume = {"uuid": "v", "source_type": "volume", "boot_index": boot_index}
    with pytest.raises(exc.LeftBehind):
        compute.create("web", "flavor", image_id="i", block_devices=[volume])
    sent = server.all_requests[1].json["server"]
    assert sent["imageRef"] == "i"
    found = sent["block_device_mapping_v2"]
    assert [one["source_type"] for one in found] == sources
    assert [one["uuid"] for one in found if one["boot_index"] == 0] == [
        "i" if len(sources) == 2 else "v"
    ]


@pytest.mark.parametrize(
    ("service", "method", "arguments", "key", "missing"),
    [
        ("compute", "servers", (), "servers", "id"),
        ("compute", "flavors", (), "flavors", "id"),
        ("compute", "attachments", ("s",), "volumeAttachments", "volumeId"),
        ("block_storage", "volumes_named", ("v",), "volumes", "id"),
        ("block_storage", "attachments", (), "attachments", "id"),
        ("block_storage", "attachments", (), "attachments", "volume_id"),
    ],
)
@pytest.mark.parametrize("other", [{}, {"id": 5, "volumeId": {}, "volume_id": None}])
def test_a_list_whose_items_have_no_identifier_is_an_error(
    scripted, service, method, arguments, key, missing, other
):
    whole = {"id": "i", "volumeId": "v", "volume_id": "v", "name": "v"}
    item = {name: value for name, value in whole.items() if name != missing}
    item |= {missing: other[missing]} if missing in other else {}
    script = [COMPUTE] if service == "compute" else []
    client, server = scripted(*script, Reply({key: [whole, item]}))
    called = getattr(getattr(client, service)(server.url), method)
    with pytest.raises(exc.InvalidResponse, match=f"a list '{key}' whose items have '{missing}'"):
        called(*arguments)


def test_servers_are_listed_by_known_filters_only(scripted):
    client, server = scripted(COMPUTE, Reply({"servers": []}))
    compute = client.compute(f"{server.url}/v2.1")
    with pytest.raises(TypeError, match=r"'nmae'\. Did you mean 'name'"):
        compute.servers(nmae="web")
    assert not server.all_requests
    assert compute.servers(name="web") == []


@pytest.mark.parametrize(
    ("ids", "refusal"),
    [([], "No volume with a name or ID of 'v'"), (["1"], None), (["1", "2"], "name 'v': 1, 2")],
)
def test_a_name_means_one_object(scripted, ids, refusal):
    volumes = [{"id": ident, "name": "v"} for ident in ids]
    client, server = scripted(fault("No.", 404), Reply({"volumes": volumes}))
    storage = client.block_storage(f"{server.url}/v3")
    if refusal:
        with pytest.raises(exc.ClientException, match=refusal):
            find_volume(storage, "v")
    else:
        assert find_volume(storage, "v")["id"] == "1"
    assert server.all_requests[-1].query["name"] == "v"


@pytest.mark.parametrize("service", ["block_storage", "compute"])
def test_unknown_arguments_are_refused(scripted, service):
    client, server = scripted()
    other = getattr(client, service)(f"{server.url}/v3")
    with pytest.raises(TypeError, match="'bogus'"):
        other.attachments(bogus=1)
    assert not server.all_requests


@pytest.mark.parametrize(("deadline", "asked"), [(2, 1), (5, 2), (60, 4)])
def test_the_calls_of_the_compute_api_share_a_deadline(deadline, asked):
    now = [0.0]
    full = [{"id": str(number)} for number in range(1000)]
    with ScriptedServer(COMPUTE, *[Reply({"servers": full})] * 2, Reply({"servers": []})) as server:
        reply_to = server.reply_to

        def slow(request):
            now[0] += 3
            return reply_to(request)

        server.reply_to = slow
        policy = RetryPolicy(deadline=deadline)
        compute = Compute(Session(NoAuth(endpoint=server.url)), server.url, policy=policy)
        with use_clock(time.sleep, lambda: now[0]):
            if asked == 4:
                assert len(compute.servers()) == 2000
            else:
                with pytest.raises(exc.ConnectionError, match="deadline of the call has passed"):
                    compute.servers()
        assert len(server.all_requests) == asked
