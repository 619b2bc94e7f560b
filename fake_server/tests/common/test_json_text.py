"""How deep JSON may be nested, on every service's door, and how long that takes to tell."""

from __future__ import annotations

import pytest

from fake_server.common import json_text
from fake_server.tests.baremetal.api import Api
from fake_server.tests.wsgi import request

#: Only requests from this machine get to the controls.
OWN = {"HTTP_HOST": "localhost"}
UUID = "11111111-1111-4111-8111-111111111111"
DOORS = (
    ("POST", "/v1/nodes"),
    ("POST", "/identity/v3/auth/tokens"),
    ("POST", "/networking/v2.0/networks"),
    ("POST", "/volume/v3/volumes"),
    ("POST", "/compute/v2.1/servers"),
    ("POST", "/image/v2/images"),
    ("POST", "/placement/resource_providers"),
    ("PUT", f"/placement/allocations/{UUID}"),
    ("POST", "/_fake/seed"),
    ("POST", "/_fake/faults"),
)


@pytest.mark.parametrize(
    ("text", "deep"),
    [
        ("[]" * 300, False),
        ("[" * 200 + "]" * 200, False),
        ("[" * 201 + "]" * 201, True),
        ('{"a":' * 201, True),
        ('["' + "[" * 300 + '"]', False),
        ('"' + "[" * 300 + '"', False),
        ('["' + '\\"[' * 300 + '"]', False),
        ('["' + "[" * 300, False),
        ("]" * 300 + "[" * 200, False),
    ],
)
def test_brackets_of_texts_do_not_count(text, deep):
    assert json_text.is_deeper(text, 200) is deep


@pytest.mark.parametrize("end", ["", "\\", '"'])
def test_a_text_without_an_end_takes_no_longer(end):
    text = "[]" * 300 + '"' + '\\"' * 1_000_000 + end
    assert not json_text.is_deeper(text, 200)


@pytest.mark.parametrize("levels", [201, 500, 100_000])
@pytest.mark.parametrize(("method", "path"), DOORS)
def test_what_is_nested_too_deeply_is_refused_in_words(method, path, levels):
    api = Api()
    for opened, closed in (("[", "]"), ('{"name":', "}")):
        body = (opened * levels + "1" + closed * levels).encode()
        answer = api.app.answer(request(method, path, body, **OWN))
        assert answer.status == 400
        assert b"recursion" not in answer.body
        assert len(answer.body) < 1000
    # Neither does the record of it stop anything.
    assert api.app.answer(request("GET", "/_fake/report", **OWN)).status == 200
    assert api.app.answer(request("GET", "/_fake/requests?format=har", **OWN)).status == 200
