"""Which version of the API is used, and how many requests it takes to find out."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from baremetalclient import client as clients
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
    assert "1.50 or later is needed" in str(caught.value)
    for field in ("resource_class", "traits", "owner"):
        assert f"'{field}'" in str(caught.value)
    assert "'uuid'" not in str(caught.value)
    assert not server.requests


def test_fields_of_drivers_need_a_newer_server(scripted):
    client, server = scripted(versions=offering("1.76"))
    for call in (client.driver.list, lambda fields: client.driver.get("d", fields=fields)):
        with pytest.raises(exc.UnsupportedVersion, match=r"1\.77 or later is needed"):
            call(fields=["name"])
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


def test_versions_in_the_body_are_enough(scripted):
    client, server = scripted(Reply(NODE), versions={})
    server.reply_to = lambda request: Reply({"version": {"min_version": "1.1", "version": "1.60"}})
    assert str(client.negotiated_version) == "1.60"


def test_what_knows_no_versions_is_no_bare_metal_service(scripted):
    client, _ = scripted(versions={})
    with pytest.raises(exc.InvalidResponse, match="Is this the endpoint"):
        client.node.list()


@pytest.mark.parametrize("version", ["1.67", (1, 67)])
def test_a_single_version_is_used_without_asking(scripted, version):
    client, server = scripted(Reply(NODE), os_ironic_api_version=version)
    client.node.get("n")
    assert [request.version for request in server.all_requests] == ["1.67"]


@pytest.mark.parametrize(
    ("acceptable", "used"), [(["1.50", "1.112"], "1.112"), (["1.200", "1.40"], "1.40")]
)
def test_the_best_of_several_versions_is_used(scripted, acceptable, used):
    client, server = scripted(Reply({"traits": ["CUSTOM_A"]}), os_ironic_api_version=acceptable)
    if used == "1.112":
        assert client.runbook.get_traits("r") == ["CUSTOM_A"]
    else:
        assert client.node.get_traits("n") == ["CUSTOM_A"]
    assert server.requests[0].version == used


def test_one_of_several_versions_is_used_that_the_server_offers(scripted):
    acceptable = ["1.50", "1.112", "1.37"]
    client, server = scripted(
        Reply(NODE), versions=offering("1.60"), os_ironic_api_version=acceptable
    )
    client.node.get("n")
    assert [request.version for request in server.all_requests] == ["1.112", "1.50"]


def test_none_of_several_versions_may_be_known(scripted):
    client, server = scripted(versions=offering("1.60"), os_ironic_api_version=["1.200", "1.201"])
    with pytest.raises(exc.UnsupportedVersion, match=r"offers 1\.1 to 1\.60"):
        client.node.get("n")
    assert not server.requests


def test_a_version_may_be_lowered_to_the_servers(scripted):
    options = {"os_ironic_api_version": "1.50", "allow_api_version_downgrade": True}
    client, server = scripted(Reply(NODE), versions=offering("1.38"), **options)
    client.node.get("n")
    assert server.requests[0].version == "1.38"


@pytest.mark.parametrize("wrong", [1.9, 9, [], "banana"])
def test_what_is_no_version_is_refused_when_the_client_is_made(wrong):
    with pytest.raises(exc.ValidationError):
        clients.get_client(1, endpoint="http://localhost:1", os_ironic_api_version=wrong)


def test_a_version_beyond_the_client_is_refused_before_sending(scripted):
    client, server = scripted(os_ironic_api_version="2.0")
    with pytest.raises(exc.UnsupportedVersion, match=r"2\.0 was requested"):
        client.node.list()
    assert not server.all_requests


TOO_NEW = {
    "volumes": ("1.31", "1.32", "volume connectors", lambda c, v: c.volume_connector.list(**v)),
    "targets": ("1.31", "1.32", "volume targets", lambda c, v: c.volume_target.get("t", **v)),
    "traits": ("1.36", "1.37", "node traits", lambda c, v: c.node.get_traits("n", **v)),
    "vifs": ("1.27", "1.28", "VIFs", lambda c, v: c.node.vif_attach("n", "v", **v)),
    "vif port": (
        "1.66",
        "1.67",
        "a certain port",
        lambda c, v: c.node.vif_attach("n", "v", port_uuid="p", **v),
    ),
    "indicators": ("1.62", "1.63", "indicators", lambda c, v: c.node.list_indicators("n", **v)),
    "media": ("1.88", "1.89", "virtual media", lambda c, v: c.node.vmedia_detach("n", **v)),
    "list of media": ("1.92", "1.93", "virtual media", lambda c, v: c.node.vmedia_list("n", **v)),
    "field": ("1.36", "1.37", "'traits'", lambda c, v: c.node.list(fields=["traits"], **v)),
    "filter": ("1.49", "1.50", "'owner'", lambda c, v: c.node.list(owner="me", **v)),
    "create": ("1.49", "1.50", "'owner'", lambda c, v: c.node.create(owner="me", **v)),
    "patch": (
        "1.49",
        "1.50",
        "'owner'",
        lambda c, v: c.node.update("n", [{"op": "remove", "path": "/owner"}], **v),
    ),
    "verb": ("1.16", "1.17", "'adopt'", lambda c, v: c.node.set_provision_state("n", "adopt", **v)),
    "sort": (
        "1.20",
        "1.21",
        "'resource_class'",
        lambda c, v: c.node.list(sort_key="resource_class", **v),
    ),
    "dict drive": (
        "1.55",
        "1.56",
        "config drives",
        lambda c, v: c.node.set_provision_state("n", "active", configdrive={"user_data": "x"}, **v),
    ),
}


@pytest.mark.parametrize("what", TOO_NEW)
@pytest.mark.parametrize("of_the_client", [True, False], ids=["of the client", "of the call"])
def test_what_is_too_new_is_refused_before_sending(scripted, what, of_the_client):
    asked, needed, feature, call = TOO_NEW[what]
    client, server = scripted(**({"os_ironic_api_version": asked} if of_the_client else {}))
    with pytest.raises(exc.UnsupportedVersion) as caught:
        call(client, {} if of_the_client else {"os_ironic_api_version": asked})
    assert not server.requests
    message = str(caught.value)
    for part in (
        feature,
        f"{needed} or later is needed",
        f"requested: {asked}",
        "offers 1.1 to 1.115",
        "--os-baremetal-api-version",
        "os_ironic_api_version",
    ):
        assert part in message
    assert str(caught.value.required) == needed


def test_a_refused_version_costs_one_request_and_is_named(scripted):
    body = fault("Version 1.36 is not supported.", 406)
    client, server = scripted(body, os_ironic_api_version="1.36")
    with pytest.raises(exc.UnsupportedVersion, match=r"1\.36") as caught:
        client.node.list()
    assert "1.1 to 1.115" in str(caught.value)
    assert len(server.all_requests) == 1


@pytest.mark.parametrize("version", ["1.1", NEWEST])
def test_a_refused_version_may_be_one_that_the_server_offers(scripted, version):
    client, _ = scripted(fault("No.", 406), os_ironic_api_version=version)
    with pytest.raises(exc.UnsupportedVersion, match="The server refused GET"):
        client.chassis.list()
