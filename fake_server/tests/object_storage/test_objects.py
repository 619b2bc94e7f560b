"""Object storage, as openstacksdk uses it; what is expected is what Swift 2.38 answers."""

from __future__ import annotations

import base64
import hashlib
import hmac
from datetime import UTC, datetime

import openstack
import pytest
import requests
from keystoneauth1 import exceptions

from fake_server.clock import Clock
from fake_server.server import FakeServer
from fake_server.settings import Settings

START = 1_700_000_000
KEY = "a-key-of-the-account"


@pytest.fixture
def clock():
    return Clock("manual", start=START)


@pytest.fixture
def server(clock):
    with FakeServer(Settings(auth="keystone"), clock=clock) as server:
        yield server


@pytest.fixture
def connect(server):
    def connect(username="project-admin", project="demo"):
        return openstack.connect(
            auth_url=f"{server.url}/identity/v3",
            username=username,
            password="secret",
            project_name=project,
            user_domain_id="default",
            project_domain_id="default",
        )

    return connect


@pytest.fixture
def swift(connect):
    """The proxy of the administrator of the project demo, which has a container and a key."""
    store = connect().object_store
    assert store.put("/c").status_code == 201
    assert store.post("/", headers={"X-Account-Meta-Temp-URL-Key": KEY}).status_code == 204
    return store


def put(store, name, data=b"hello", **headers):
    answer = store.put(f"/c/{name}", data=data, headers=headers)
    assert answer.status_code == 201, answer.text
    return answer


def names(store, query=""):
    return store.get(f"/c{query}", headers={"Accept": "text/plain"}).text.split()


def test_openstacksdk_keeps_lists_fetches_and_removes_objects(connect):
    cloud = connect()
    assert cloud.create_container("logs").name == "logs"
    cloud.create_object("logs", "a/b.txt", data=b"hello")
    cloud.create_object("logs", "c", data=b"")
    assert [one.name for one in cloud.list_containers()] == ["logs"]
    found = {one.name: one for one in cloud.list_objects("logs")}
    assert set(found) == {"a/b.txt", "c"}
    assert found["a/b.txt"].etag == "5d41402abc4b2a76b9719d911017c592"
    headers, data = cloud.get_object("logs", "a/b.txt")
    assert data == "hello"
    assert headers["etag"] == "5d41402abc4b2a76b9719d911017c592"
    assert headers["content-length"] == "5"
    assert cloud.object_store.head("/logs").headers["X-Container-Bytes-Used"] == "5"
    assert cloud.object_store.delete("/logs").status_code == 409
    for name in found:
        assert cloud.delete_object("logs", name)
    assert cloud.delete_container("logs")
    assert cloud.list_containers() == []


def test_openstacksdk_uploads_a_file_with_its_metadata(connect, tmp_path):
    cloud = connect()
    file = tmp_path / "log.tar.gz"
    file.write_bytes(b"x" * 1000)
    cloud.create_container("c")
    cloud.create_object("c", "log.tar.gz", filename=str(file), **{"X-Delete-After": "60"})
    found = cloud.object_store.head("/c/log.tar.gz").headers
    assert found["Content-Length"] == "1000"
    assert found["X-Delete-At"] == str(START + 60)


def test_lists_are_narrowed_and_cut(swift):
    for name in ("a/1", "a/2", "b/1", "c"):
        put(swift, name)
    assert names(swift) == ["a/1", "a/2", "b/1", "c"]
    assert names(swift, "?prefix=a/") == ["a/1", "a/2"]
    assert names(swift, "?limit=2") == ["a/1", "a/2"]
    assert names(swift, "?marker=a/2") == ["b/1", "c"]
    assert names(swift, "?end_marker=b/1") == ["a/1", "a/2"]
    assert names(swift, "?delimiter=/") == ["a/", "b/", "c"]
    assert names(swift, "?prefix=a/&delimiter=/") == ["a/1", "a/2"]
    assert names(swift, "?reverse=true&limit=2") == ["c", "b/1"]
    found = swift.get("/c?format=json&delimiter=/").json()
    assert found[0] == {"subdir": "a/"}
    assert found[-1]["name"] == "c"
    assert found[-1]["bytes"] == 5
    assert swift.get("/c?limit=x").status_code == 400
    assert swift.get("/c?limit=10001").status_code == 412


def test_an_object_goes_when_its_time_is_over(swift, clock):
    put(swift, "o", **{"X-Delete-After": "60"})
    assert swift.get("/c/o").headers["X-Delete-At"] == str(START + 60)
    clock.advance(59)
    assert swift.head("/c/o").status_code == 200
    clock.advance(1)
    assert swift.get("/c/o").status_code == 404
    assert names(swift) == []
    assert swift.delete("/c").status_code == 204


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"X-Delete-After": "soon"}, 400),
        ({"X-Delete-After": "0"}, 400),
        ({"X-Delete-After": "9" * 400}, 400),
        ({"X-Delete-At": "1"}, 400),
        ({"ETag": "0" * 32}, 422),
        ({"If-None-Match": "*"}, 412),
        ({"X-Object-Manifest": "c/x"}, 400),
    ],
)
def test_an_object_that_is_refused_leaves_the_one_before_it(swift, headers, status):
    put(swift, "o")
    assert swift.put("/c/o", data=b"other", headers=headers).status_code == status
    assert swift.get("/c/o").content == b"hello"


def test_what_is_not_there_is_not_found(swift):
    for method, path in (
        ("GET", "/none"),
        ("DELETE", "/none"),
        ("GET", "/c/none"),
        ("HEAD", "/c/none"),
        ("DELETE", "/c/none"),
        ("POST", "/c/none"),
        ("PUT", "/none/o"),
    ):
        assert swift.request(path, method).status_code == 404, (method, path)
    assert swift.put("/" + "c" * 257).status_code == 400
    assert swift.put("/c").status_code == 202


def test_a_name_that_is_no_text_is_refused(swift):
    for name in ("a%00b", "%ff"):
        url = f"{swift.get_endpoint()}/c/{name}"
        answer = swift.session.put(url, data=b"x", raise_exc=False)
        assert (answer.status_code, answer.text) == (412, "Invalid UTF8 or contains NULL")
    assert names(swift) == []


def test_metadata_are_kept_and_taken_away(swift):
    put(swift, "o", **{"X-Object-Meta-Color": "blue"})
    assert swift.head("/c/o").headers["X-Object-Meta-Color"] == "blue"
    assert swift.post("/c/o", headers={"X-Object-Meta-Size": "L"}).status_code == 202
    found = swift.head("/c/o").headers
    assert found["X-Object-Meta-Size"] == "L"
    assert "X-Object-Meta-Color" not in found
    swift.post("/c", headers={"X-Container-Meta-A": "1", "X-Container-Meta-B": "2"})
    swift.post("/c", headers={"X-Container-Meta-A": "", "X-Remove-Container-Meta-B": "x"})
    assert not [name for name in swift.head("/c").headers if "Meta" in name]
    assert swift.head("/").headers["X-Account-Meta-Temp-URL-Key"] == KEY
    assert swift.get_temp_url_key() == KEY.encode()


@pytest.mark.parametrize(
    ("username", "project"),
    [("project-member", "demo"), ("other-member", "other"), ("admin", "admin")],
)
def test_only_operators_of_its_project_use_an_account(connect, swift, username, project):
    account = swift.get_endpoint()
    session = connect(username, project).session
    for path in ("", "/c", "/c/o"):
        with pytest.raises(exceptions.Forbidden):
            session.get(f"{account}{path}")
    assert requests.get(account, timeout=30).status_code == 401


# Temporary URLs


def signed(store, path, *, method="GET", digest="sha256", expires=START + 60, key=KEY, **more):
    """Return a temporary URL, made as the documentation of Swift says."""
    account = store.get_endpoint()
    start = account.index("/v1/")
    text = f"{method}\n{int(expires)}\n{more.pop('signs', '')}{account[start:]}{path}"
    sig = hmac.new(key.encode(), text.encode(), digest).hexdigest()
    query = {"temp_url_sig": sig, "temp_url_expires": int(expires), **more}
    return f"{account}{path}?" + "&".join(f"{name}={value}" for name, value in query.items())


@pytest.mark.parametrize("digest", ["sha1", "sha256", "sha512"])
def test_a_temporary_url_is_good_for_its_method_its_object_and_a_while(swift, clock, digest):
    put(swift, "o")
    put(swift, "p")
    url = signed(swift, "/c/o", digest=digest)
    answer = requests.get(url, timeout=30)
    assert (answer.status_code, answer.content) == (200, b"hello")
    assert answer.headers["Content-Disposition"] == "attachment; filename=\"o\"; filename*=UTF-8''o"
    assert requests.head(url, timeout=30).status_code == 200
    assert requests.delete(url, timeout=30).status_code == 401
    assert requests.get(url.replace("/c/o", "/c/p"), timeout=30).status_code == 401
    assert requests.get(url[:-1] + "1", timeout=30).status_code == 401
    clock.advance(61)
    late = requests.get(url, timeout=30)
    assert (late.status_code, late.text) == (401, "401 Unauthorized: Temp URL invalid\n")


def test_a_temporary_url_puts_an_object(swift):
    url = signed(swift, "/c/new", method="PUT")
    assert requests.put(url, data=b"sent", timeout=30).status_code == 201
    assert requests.head(url, timeout=30).status_code == 200
    assert requests.get(url, timeout=30).status_code == 401
    assert swift.get("/c/new").content == b"sent"


def test_what_openstacksdk_signs_is_good(swift, server):
    put(swift, "o")
    # It signs the whole path, and takes the time from the system.
    path = swift.get_endpoint().removeprefix(server.url)
    signed_path = swift.generate_temp_url(f"{path}/c/o", 10**9, "GET", temp_url_key=KEY)
    assert requests.get(f"{server.url}{signed_path}", timeout=30).content == b"hello"


def test_signatures_in_base64_and_moments_as_text_are_good(swift):
    put(swift, "o")
    url = signed(swift, "/c/o")
    sig = url.partition("temp_url_sig=")[2].partition("&")[0]
    text = base64.urlsafe_b64encode(bytes.fromhex(sig)).decode()
    assert requests.get(url.replace(sig, f"sha256:{text}"), timeout=30).status_code == 200
    assert requests.get(url.replace(sig, f"sha1:{text}"), timeout=30).status_code == 401
    moment = f"{datetime.fromtimestamp(START + 60, UTC):%Y-%m-%dT%H:%M:%SZ}"
    assert requests.get(url.replace(str(START + 60), moment), timeout=30).status_code == 200


def test_a_url_for_a_prefix_is_good_for_what_begins_so(swift):
    put(swift, "a/1")
    put(swift, "b/1")
    account = swift.get_endpoint()
    path = account[account.index("/v1/") :]
    text = f"GET\n{START + 60}\nprefix:{path}/c/a/"
    sig = hmac.new(KEY.encode(), text.encode(), hashlib.sha256).hexdigest()
    query = f"temp_url_sig={sig}&temp_url_expires={START + 60}&temp_url_prefix=a/"
    assert requests.get(f"{account}/c/a/1?{query}", timeout=30).status_code == 200
    assert requests.get(f"{account}/c/b/1?{query}", timeout=30).status_code == 401


@pytest.mark.parametrize("query", ["temp_url_sig=x", "temp_url_expires=1", "temp_url_sig=&x="])
def test_half_a_signature_opens_nothing(swift, query):
    put(swift, "o")
    for path in ("", "/c", "/c/o"):
        url = f"{swift.get_endpoint()}{path}?{query}"
        assert requests.get(url, timeout=30).status_code == 401, path
    url = signed(swift, "/c", key=KEY)
    assert requests.get(url, timeout=30).status_code == 401


def test_keys_and_signatures_are_in_no_log(swift, server):
    put(swift, "o")
    url = signed(swift, "/c/o")
    assert requests.get(url, timeout=30).status_code == 200
    log = requests.get(f"{server.url}/_fake/requests", timeout=30).text
    assert "/c/o" in log
    assert KEY not in log
    assert url.partition("temp_url_sig=")[2].partition("&")[0] not in log


def test_snapshots_have_what_is_kept(swift, server):
    put(swift, "o")
    base = f"{server.url}/_fake/snapshots"
    requests.post(base, json={"id": "kept"}, timeout=30).raise_for_status()
    assert swift.delete("/c/o").status_code == 204
    requests.post(f"{base}/kept/restore", json={}, timeout=30).raise_for_status()
    assert swift.get("/c/o").content == b"hello"
