"""What is answered, byte for byte, to requests by what their bodies are and what they accept.

Recorded from the fake server, so that no change goes unnoticed. A deliberate change is written
down with ``--record -n 0``.
"""

from __future__ import annotations

import re
from io import BytesIO
from pathlib import Path
from urllib.parse import unquote_to_bytes

import pytest

from fake_server.common.wsgi import Request
from fake_server.tests import recorded
from fake_server.tests.baremetal.api import Api

RECORD = Path(__file__).with_name("pages.json.gz")
JSON, FORM = "application/json", "application/x-www-form-urlencoded"
ACCEPTED = (
    *(
        None,
        "",
        "*/*",
        JSON,
        "text/html",
        "text/plain",
        "text/*",
        "application/*",
        "image/png",
        "x",
    ),
    *(
        f"text/html, {JSON};q=0.9",
        f"text/html;q=0.5, {JSON}",
        f"{JSON};q=0",
        "*/*;q=0",
        "*/*;q=0.1",
    ),
    *(f"text/html;q=0, {JSON}", "text/html;level=1", f"{JSON};charset=utf-8", f"{JSON};q=2"),
    *(
        f"text/plain, {JSON}",
        f"text/plain;q=0.1, {JSON};q=0.2",
        "text/html, text/plain",
        "TEXT/HTML",
    ),
    *(f"{JSON} ; q=1.000", f"{JSON};q=1.0001", f"{JSON};q=0.001", f"{JSON};q=0.0000", f"\t{JSON}"),
    *(
        f"{JSON}; a=b",
        f'{JSON};a="b c"',
        f'{JSON};a="b\\"c"',
        f'{JSON};a="b',
        f"{JSON};a=b;q=0.5;x",
    ),
    *(f"{JSON};q=0.5;x=y;z", f",{JSON}", f"{JSON},", f"{JSON},,text/html", f"{JSON} text/html"),
    *(
        "text/html;q=0.1, */*;q=0.2",
        f"*/*;q=0.1, {JSON};q=0",
        f"{JSON};q=0.2, {JSON};q=0.9, text/*",
    ),
    *("text/html , text/plain", "text/html ,\ttext/plain", f"text/html;q=0.3,{JSON};Q=0.4"),
    *("<b>&</b>", "text/html\r", 'text/html;a="\\é"', 'text/html;a="\x01"', "text/html;a=b;c=d"),
)
PLACES = (
    ("GET", "/v1/bogus", "1.115"),
    ("GET", "/v1/nodes/n/bogus", "1.115"),
    ("GET", "/v1/nodes", "1.115"),
    ("GET", "/v1/nodes", "1.999"),
    ("GET", "/v1/nodes", "9.1"),
    ("GET", "/v1/nodes", "x<b>"),
    ("POST", "/v1/conductors", "1.115"),
    ("PUT", "/v1/nodes", "1.115"),
    ("TR<A>CE", "/v1/nodes", "1.115"),
    ("HEAD", "/v1/bogus", "1.115"),
    ("OPTIONS", "/v1/bogus", "1.115"),
    ("GET", "/", "1.115"),
    ("GET", "/", "1.999"),
    ("GET", "/v1", "1.1"),
    ("GET", "/v1/nodes/%ff", "1.115"),
    ("GET", "/v1/nodes?name=%ff", "1.115"),
    ("GET", "/v1/runbooks/x/traits", "1.111"),
    ("GET", "/v1/nodes/n/vmedia", "1.92"),
)
KINDS = (
    *(None, "", JSON, "application/javascript", FORM, "text/plain", f"{JSON}; charset=utf-8", "x"),
    *(f"{JSON}; charset=latin-1", f"{JSON};charset=bogus", f'{JSON}; charset="utf-16"'),
    *(
        f"{JSON}; charset=",
        f"{JSON}; CHARSET=ascii",
        f"{JSON}; charset=base64",
        "multipart/form-data",
    ),
)
BODIES = (
    *(b"", b"{}", b"[]", b"null", b"5", b"{", b"\xff", b"{'a': 1}", b'{"driver": "fake-hardware"}'),
    *(
        b'{"driver": "fake-hardware", "extra": {"a": "\xc3\xa9"}}',
        b"driver=fake-hardware",
        b"a=b&a=c",
    ),
    b'{"driver": "fake-hardware", "extra": {"a": "\xe9"}}',
    b'{"driver": "fake-hardware", "extra": {"a": "\\ud800"}}',
    b'{"driver": "fake-hardware", "name": "a\\u0000"}',
    *(
        b'{"driver": "fake-hardware", "extra": {"a": %s}}' % value
        for value in (b"NaN", b"Infinity", b"-Infinity", b"1.0", b"1e3", b"01")
    ),
    b'{"driver": "x", "driver": "fake-hardware"}',
    *(b"[" * depth + b"]" * depth for depth in (25, 26)),
    '{"driver": "fake-hardware"}'.encode("utf-16"),
)
OWN = re.compile(f"req-{recorded.UUID}|{recorded.UUID}|{recorded.TIME}")


@pytest.fixture(scope="module")
def api():
    api = Api()
    api.enrol()
    api.app.control.snapshots.take("before")
    return api


def asked(api, method, target, version, accept=None, kind=None, body=b""):
    """Return the answer to a request: its status, headers and text."""
    path, _, query = target.partition("?")
    environ = {
        "REQUEST_METHOD": method,
        "PATH_INFO": unquote_to_bytes(path).decode("latin-1"),
        "QUERY_STRING": query,
        "CONTENT_LENGTH": str(len(body)),
        "wsgi.input": BytesIO(body),
        "wsgi.url_scheme": "http",
        "HTTP_HOST": "fake",
        "HTTP_X_OPENSTACK_IRONIC_API_VERSION": version,
    }
    if accept is not None:
        environ["HTTP_ACCEPT"] = accept
    if kind is not None:
        environ["CONTENT_TYPE"] = kind
    response = api.app.answer(Request(environ))
    text = OWN.sub("<own>", response.body.decode("latin-1"))
    if response.status < 300:
        text = text[:300]
        api.app.control.snapshots.restore("before")
    return OWN.sub("<own>", repr([response.status, sorted(response.headers), text]))


@pytest.mark.parametrize(("method", "path", "version"), PLACES)
def test_errors_are_in_the_form_that_is_wanted(api, request, method, path, version):
    found = {str(accept): asked(api, method, path, version, accept) for accept in ACCEPTED}
    recorded.check(request, RECORD, f"{method} {path} {version}", found)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("POST", "/v1/nodes"),
        ("PATCH", "/v1/nodes/n"),
        ("PUT", "/v1/nodes/n/maintenance"),
        ("DELETE", "/v1/nodes/n/maintenance"),
        ("GET", "/v1/nodes/n/traits"),
        ("POST", "/v1/nodes?driver=fake-hardware"),
    ],
)
def test_bodies_are_read_as_recorded(api, request, method, path, kind):
    found = {
        repr(body)[:90]: asked(api, method, path, "1.115", None, kind, body) for body in BODIES
    }
    recorded.check(request, RECORD, f"{method} {path} {kind}", found)
