"""What a server was asked, looked at and exported."""

from __future__ import annotations

import json
import os
import re
from urllib.parse import quote

import pytest
import requests

from fake_server.common.redaction import Redactor
from fake_server.common.wsgi import Response
from fake_server.control import recorder, shared_log
from fake_server.control.har import archive
from fake_server.control.recorder import Recorder
from fake_server.server import FakeServer
from fake_server.tests.wsgi import request

VERSION = "X-OpenStack-Ironic-API-Version"
SECRETS = ("s3cret", "t0ken")


@pytest.fixture
def server():
    with FakeServer(seed={"nodes": [{"name": "n"}]}) as server:
        yield server


@pytest.fixture
def call(server):
    def send(method, path, body=None, **headers):
        answer = requests.request(method, server.url + path, json=body, headers=headers, timeout=10)
        return answer.status_code

    return send


def asked(server, query=""):
    answer = requests.get(f"{server.url}/_fake/requests{query}", timeout=5)
    assert answer.status_code == 200, answer.text
    return [(entry["method"], entry["path"]) for entry in answer.json()["requests"]]


def test_filters(server, call):
    call("GET", "/baremetal/v1/nodes")
    call("GET", "/v1/nodes/n", **{VERSION: "1.80"})
    call("GET", "/v1/nodes/nowhere", **{VERSION: "1.79"})
    call("POST", "/v1/nodes", {"colour": "red"})
    numbers = {
        "": 4,
        "?method=GET": 3,
        "?path=/v1/nodes": 2,
        "?path=/baremetal/v1/*": 4,
        "?status=404": 1,
        "?status=4xx": 2,
        "?status=2xx": 2,
        "?node=n": 1,
        "?version=1.80": 1,
        "?limit=1": 1,
        "?limit=0": 0,
        "?method=GET&status=2xx&limit=9": 2,
    }
    assert {query: len(asked(server, query)) for query in numbers} == numbers


def test_bodies_are_there_for_tests(server, call):
    call("POST", "/v1/nodes", {"driver": "fake-hardware", "name": "m"})
    call("GET", "/v1/nodes/m", **{VERSION: "1.5"})
    posted, shown = server.requests.find()
    assert posted.json() == {"driver": "fake-hardware", "name": "m"}
    assert posted.answered
    assert (shown.json(), shown.version) == (None, "1.5")
    assert (VERSION.title(), "1.5") in shown.headers
    server.requests.assert_asked("DELETE", "/v1/nodes/*", times=0)
    with pytest.raises(AssertionError, match=r"0 times, received it 1 time\."):
        server.requests.assert_asked("POST", "/v1/nodes", times=0)


def test_an_archive_that_others_read(server, call):
    call("POST", "/v1/nodes?a=1", {"driver": "fake-hardware", "name": "m"}, **{VERSION: "1.80"})
    server.faults.add({"path": "/v1/chassis"}, {"drop": "after"})
    with pytest.raises(requests.ConnectionError):
        call("GET", "/v1/chassis")
    log = requests.get(f"{server.url}/_fake/requests?format=har", timeout=5).json()["log"]
    assert log["version"] == "1.2"
    posted, dropped = log["entries"]
    assert posted["request"]["method"] == "POST"
    assert posted["request"]["url"] == f"{server.url}/v1/nodes?a=1"
    assert posted["request"]["queryString"] == [{"name": "a", "value": "1"}]
    assert json.loads(posted["request"]["postData"]["text"])["name"] == "m"
    assert posted["request"]["postData"]["mimeType"] == "application/json"
    assert {"name": "Content-Type", "value": "application/json"} in posted["response"]["headers"]
    assert posted["response"]["status"] == 400
    assert posted["response"]["content"]["size"] == len(posted["response"]["content"]["text"])
    assert posted["time"] == posted["timings"]["wait"] >= 0
    assert dropped["response"]["status"] == 0
    assert dropped["response"]["content"]["size"] == 0
    for entry in log["entries"]:
        assert {"startedDateTime", "time", "request", "response", "cache", "timings"} <= set(entry)
        for part in ("request", "response"):
            needed = {"httpVersion", "cookies", "headers", "headersSize", "bodySize"}
            assert needed <= set(entry[part])


def test_secrets_are_masked_wherever_they_are(server):
    headers = {"X-Auth-Token": "t0ken", "Authorization": "Basic s3cret", "Cookie": "a=t0ken"}
    headers["Content-Type"] = "application/json"
    patch = [
        {"op": "add", "path": "/driver_info/ipmi_password", "value": "s3cret"},
        {"op": "add", "path": "/driver_info/deep", "value": {"password": "s3cret"}},
        {"op": "add", "path": "/extra/a", "value": "visible"},
    ]
    for method, path, body in (
        ("PATCH", "/v1/nodes/n?password=s3cret", json.dumps(patch)),
        ("POST", "/v1/nodes", json.dumps({"driver_info": {"ipmi_password": "s3cret"}})),
        ("PUT", "/v1/nodes/n/states/provision", json.dumps({"configdrive": "s3cret"})),
        ("POST", "/v1/nodes", "password=s3cret"),
        ("POST", "/v1/nodes", '{"password": "s3cret"'),
    ):
        url = server.url + path
        requests.request(method, url, data=body, headers=headers, timeout=5)
    for form in ("json", "har"):
        text = requests.get(f"{server.url}/_fake/requests?format={form}", timeout=5).text
        assert not [secret for secret in SECRETS if secret in text]
    assert "visible" in text


#: Bodies with the secrets of each service, as their APIs have them.
BODIES = (
    {"auth": {"identity": {"methods": ["token"], "token": {"id": "s3cret"}}}},
    {"auth": {"identity": {"totp": {"user": {"id": "u", "passcode": "s3cret"}}}}},
    {"auth": {"identity": {"application_credential": {"id": "a", "secret": "s3cret"}}}},
    {"credential": {"type": "totp", "blob": "s3cret"}},
    {"credential": {"type": "ec2", "blob": '{"access": "a", "secret": "s3cret"}'}},
    {"accept": {"auth_key": "s3cret"}},
    {"connection_info": {"data": {"auth_password": "s3cret"}}},
    {"driver_info": {"snmp_auth_key": "s3cret", "snmp_priv_key": "s3cret"}},
    {"driver_info": {"snmp_community": "s3cret", "snmp_community_write": "s3cret"}},
    {"driver_info": {"ipmi_hex_kg_key": "s3cret"}},
    {"instance_info": {"image_source": "http://h/i?temp_url_sig=s3cret"}},
    {"instance_info": {"image_url": "http://h/s3cret"}},
    [{"op": "add", "path": "/driver_info/snmp_priv_key", "value": "s3cret"}],
    [{"op": "add", "path": "/instance_info/image_url", "value": "http://h/s3cret"}],
)


@pytest.mark.parametrize("body", BODIES)
def test_secrets_of_all_services_are_masked_in_requests_and_answers(body):
    answer = Response(200, json.dumps(body).encode(), [("Location", "/i?temp_url_sig=s3cret")])
    log = Recorder()
    log.note(posted(body), "/identity/v3/auth/tokens", answer, began=0, moment=0)
    assert "s3cret" not in json.dumps(archive(log.find(), log.log().redactor))


def test_what_identifies_something_is_no_secret():
    body = {"token": {"user": {"id": "u"}}, "credential": {"id": "c"}, "key_name": "k"}
    body |= {"image_url": "http://h/x.iso", "extra": {"image_url": "u"}}
    assert json.loads(Redactor().body(json.dumps(body).encode())) == body


@pytest.mark.parametrize("secret", ["gAAAAAB-x_9", "p@ss w0rd/+=", "s3c"])
def test_what_was_a_secret_once_is_masked_in_the_rest_of_the_log(server, secret):
    headers = {"X-Auth-Token": secret} if secret.startswith("gA") else {}
    nested = {"driver_info": {"deep": [{"ipmi_password": secret}]}}
    quoted = quote(secret, safe="")
    for method, path, body in (
        ("POST", "/v1/nodes", nested),
        ("GET", f"/identity/v3/auth/tokens/{quoted}?marker={quoted}", None),
        ("POST", "/v1/nodes", {"name": secret, "extra": [f"as {secret}, he said", f"x{secret}x"]}),
    ):
        requests.request(method, server.url + path, json=body, headers=headers, timeout=5)
    within = {f"x{secret}x"} if re.fullmatch(r"[\w-]+", secret) else set()
    texts = [
        requests.get(f"{server.url}/_fake/requests", timeout=5).text,
        requests.get(f"{server.url}/_fake/requests?format=har", timeout=5).text,
        requests.get(f"{server.url}/_fake/unmet", timeout=5).text,
        requests.get(f"{server.url}/_fake/overview", timeout=5).text,
        server.report(),
    ]
    with pytest.raises(AssertionError, match="The nearest request") as caught:
        server.requests.assert_asked("POST", "/v1/nodes", json={"name": "n"})
    for text in [*texts, str(caught.value)]:
        for one in within:
            text = text.replace(one, "")
        assert secret not in text
        assert quoted not in text


def test_what_is_dropped_is_told_and_nothing_is_asserted_of_it(monkeypatch):
    monkeypatch.setattr(recorder, "MOST", 3)
    log = Recorder()
    for number in range(5):
        log.note(posted(b""), f"/v1/nodes/{number}", Response(), began=number, moment=0)
    assert (log.log().dropped, len(log.find())) == (2, 3)
    log.assert_asked("POST", "/v1/nodes/4")
    for check in (
        lambda: log.assert_not_asked("DELETE", "/v1/*"),
        lambda: log.assert_asked("POST", "/v1/nodes/4", times=1),
        lambda: log.assert_asked("POST", "/v1/nodes/0"),
        lambda: log.assert_order([("POST", "/v1/nodes/0"), ("POST", "/v1/nodes/4")]),
    ):
        with pytest.raises(AssertionError, match="2 requests before the last 3 aren't kept"):
            check()
    log.clear()
    log.assert_not_asked("DELETE", "/v1/*")


def test_nothing_is_asserted_of_bodies_that_are_not_kept():
    log = Recorder()
    log.note(posted(b"x" * 100_000), "/v1/nodes", Response(), began=0, moment=0)
    with pytest.raises(AssertionError, match="the bodies of 1 that may be it aren't kept"):
        log.assert_not_asked("POST", "/v1/nodes", json={"name": "n"})
    log.assert_not_asked("POST", "/v1/ports", json={"name": "n"})
    log.assert_not_asked("POST", "/v1/nodes/x")


def test_processes_tell_together_what_they_have_dropped(monkeypatch):
    monkeypatch.setattr(shared_log, "_LARGEST", 5000)
    monkeypatch.setattr(recorder, "MOST", 4)
    log = Recorder()
    log.share()
    for number in range(100):
        log.note(posted(b""), "/v1/nodes", Response(), began=number, moment=0)
    assert (log.log().dropped, len(log.find())) == (96, 4)
    log.clear()
    assert log.log().dropped == 0


def posted(body):
    return request("POST", "/v1/nodes", body)


def test_bodies_are_kept_as_far_as_there_is_room(monkeypatch):
    monkeypatch.setattr(recorder, "MOST_BYTES", 2500)
    log = Recorder()
    for _ in range(5):
        log.note(posted(b"x" * 1000), "/v1/nodes", Response(), began=0, moment=0)
    log.note(posted(b"x" * 100_000), "/v1/nodes", Response(), began=0, moment=0)
    assert [len(entry.sent or b"") for entry in log.find()] == [0, 0, 0, 1000, 1000, 0]
    assert [entry.size() for entry in log.find()] == [0, 0, 0, 1000, 1000, 0]


def test_processes_share_a_log():
    log = Recorder()
    log.share()
    children = []
    for _ in range(4):
        pid = os.fork()
        if not pid:
            for _ in range(50):
                log.note(
                    posted(b'{"a": "\xc3\xa9"}'),
                    "/v1/nodes",
                    Response(201, b"\xff"),
                    began=0,
                    moment=0,
                )
            os._exit(0)
        children.append(pid)
    for pid in children:
        os.waitpid(pid, 0)
    found = log.find(status=201)
    assert len(found) == 200
    assert found[0].json() == {"a": "é"}
    assert found[0].answered == b"\xff"
    log.clear()
    assert log.find() == []


def test_a_shared_log_keeps_the_last(monkeypatch):
    monkeypatch.setattr(shared_log, "_LARGEST", 50_000)
    log = Recorder()
    log.share()
    for number in range(500):
        log.note(posted(b"x" * 1000), f"/v1/{number}", Response(), began=number, moment=0)
    paths = [entry.path for entry in log.find()]
    assert 20 <= len(paths) <= 60
    assert paths == [f"/v1/{number}" for number in range(500 - len(paths), 500)]
