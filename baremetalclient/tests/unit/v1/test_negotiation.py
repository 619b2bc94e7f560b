"""Which version of the API is used, and how many requests it takes to find out."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from baremetalclient import exc
from baremetalclient.microversion import CLIENT_MAX
from baremetalclient.tests.unit.scripted import Reply, fault, offering

NEWEST = str(CLIENT_MAX)

NODE = {"uuid": "n", "name": "node-1"}


def test_the_newest_version_is_sent_without_asking(scripted):
    client, server = scripted(Reply(NODE))
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(client.node.get, ["n"] * 32))
    assert [request.version for request in server.all_requests] == [NEWEST] * 32


@pytest.mark.parametrize("change", [False, True])
def test_an_older_server_is_asked_again_in_its_version(scripted, change):
    client, server = scripted(Reply(NODE), versions=offering("1.38"))
    call = (lambda: client.node.create(driver="d")) if change else (lambda: client.node.get("n"))
    assert call().name == call().name == "node-1"
    assert [request.version for request in server.all_requests] == [NEWEST, "1.38", "1.38"]
    assert len({request.body for request in server.all_requests}) == 1


def test_a_refusal_that_names_no_versions_costs_a_request_for_them(scripted):
    client, server = scripted(Reply(NODE))
    replies = iter(
        [
            Reply({"error_message": "No."}, 406),
            Reply({"version": {"min_version": "1.1", "version": "1.38"}}),
            Reply(NODE),
        ]
    )
    server.versions = {}
    server.reply_to = lambda request: next(replies)
    assert client.node.get("n").name == "node-1"
    assert [(request.path, request.version) for request in server.all_requests] == [
        ("/v1/nodes/n", NEWEST),
        ("/v1", None),
        ("/v1/nodes/n", "1.38"),
    ]


def test_a_server_may_be_downgraded_while_the_client_lives(scripted):
    client, server = scripted(Reply(NODE))
    client.node.get("n")
    server.versions = offering("1.50")
    client.node.get("n")
    assert [request.version for request in server.requests] == [NEWEST, "1.50"]


def test_what_an_older_server_lacks_is_refused_after_its_version_is_known(scripted):
    client, server = scripted(Reply(NODE), versions=offering("1.31"))
    with pytest.raises(exc.UnsupportedVersion, match="It has to be upgraded") as caught:
        client.volume_connector.list()
    assert str(caught.value.server_range[1]) == "1.31"
    assert not server.requests


def test_the_highest_version_and_all_fields_that_need_it_are_named(scripted):
    client, server = scripted(os_ironic_api_version="1.20")
    with pytest.raises(exc.UnsupportedVersion) as caught:
        client.node.list(fields=["uuid", "resource_class", "traits", "owner"])
    assert str(caught.value.required) == "1.50"
    options = ("--os-baremetal-api-version", "os_ironic_api_version")
    versions = ("1.50 or later is needed", "requested: 1.20", f"offers 1.1 to {NEWEST}")
    for told in ("'resource_class'", "'traits'", "'owner'", *versions, *options):
        assert told in str(caught.value)
    assert "'uuid'" not in str(caught.value)
    assert not server.requests


def test_no_lock_is_held_while_the_server_is_asked_for_its_versions(scripted):
    client, server = scripted(Reply(NODE))
    asked, answered = threading.Event(), threading.Event()
    reply_to = server.reply_to

    def slow(request):
        if request.path == "/v1":
            asked.set()
            answered.wait(10)
        return reply_to(request)

    server.reply_to = slow
    with ThreadPoolExecutor(1) as pool:
        negotiated = pool.submit(client.negotiate_api_version)
        assert asked.wait(10)
        assert client.node.get("n").name == "node-1"
        answered.set()
        assert negotiated.result() == NEWEST


def test_an_older_server_is_negotiated_with(scripted):
    client, _ = scripted(Reply(NODE), versions=offering("1.38"))
    assert client.negotiate_api_version() == client.negotiate_api_version() == "1.38"
    assert client.current_api_version == "1.38"
    assert client.is_api_version_negotiated


def test_a_refused_version_costs_one_request_and_is_named(scripted):
    body = fault("Version 1.36 is not supported.", 406)
    client, server = scripted(body, os_ironic_api_version="1.36")
    with pytest.raises(exc.UnsupportedVersion, match=r"1\.36") as caught:
        client.node.list()
    assert f"1.1 to {NEWEST}" in str(caught.value)
    assert len(server.all_requests) == 1


@pytest.mark.parametrize("version", ["1.1", NEWEST])
def test_a_refused_version_may_be_one_that_the_server_offers(scripted, version):
    client, _ = scripted(fault("No.", 406), os_ironic_api_version=version)
    with pytest.raises(exc.UnsupportedVersion, match="The server refused GET"):
        client.chassis.list()
