from __future__ import annotations

from urllib.parse import parse_qsl, unquote, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from baremetalclient import exc
from baremetalclient._http import urls

REFUSED = [
    *("", " ", ".", "..", "../x", "a/b", "a\\b", "a?b", "a#b", "a\nb", "\x00", "\ud800"),
    *(None, 1.5, True),
]


@pytest.mark.parametrize("identifier", REFUSED)
def test_identifiers_that_would_reach_elsewhere_are_refused(identifier):
    with pytest.raises(exc.ValidationError, match="node"):
        urls.segment(identifier, "node")


def test_a_number_is_an_identifier():
    assert urls.segment(5, "node") == "5"


@given(st.text(min_size=1))
def test_a_segment_stays_one_segment(identifier):
    try:
        segment = urls.segment(identifier, "node")
    except exc.ValidationError:
        return
    parts = urlsplit(f"http://host/v1/nodes/{segment}/traits")
    assert unquote(parts.path) == f"/v1/nodes/{identifier}/traits"
    assert parts.path.count("/") == 4
    assert not parts.query
    assert not parts.fragment


@given(st.dictionaries(st.text(st.characters(codec="ascii"), min_size=1), st.text(min_size=1)))
def test_a_query_says_what_was_meant(parameters):
    try:
        query = urls.query(parameters)
    except exc.ValidationError:
        assert any(
            "\ud800" <= letter <= "\udfff" for text in parameters.values() for letter in text
        )
        return
    assert dict(parse_qsl(query[1:], keep_blank_values=True)) == parameters


def test_nothing_to_ask_is_no_query():
    assert urls.query({"limit": None}) == ""


def test_lists_are_joined_with_commas():
    assert urls.query({"fields": ["uuid", "name"]}) == "?fields=uuid,name"


@pytest.mark.parametrize(
    "endpoint", ["http://h:1", "http://h:1/", "http://h:1/v1", "http://h:1/v1/", "http://h:1//v1//"]
)
def test_an_endpoint_may_end_with_its_version(endpoint):
    assert urls.without_version(endpoint) == "http://h:1"


def test_an_endpoint_keeps_its_prefix():
    assert urls.without_version("https://h/baremetal/v1") == "https://h/baremetal"


@pytest.mark.parametrize("endpoint", ["", "host:6385", "ftp://host", "/v1", "http://"])
def test_what_is_no_url_is_no_endpoint(endpoint):
    with pytest.raises(exc.EndpointException, match="http://"):
        urls.without_version(endpoint)


@pytest.mark.parametrize(
    ("link", "same"),
    [
        ("http://h/v1/nodes?marker=1", True),
        ("https://h/v1/nodes", True),
        ("https://h:443/v1/nodes", True),
        ("https://H/v1/nodes", True),
        ("https://h:6385/v1/nodes", False),
        ("https://other/v1/nodes", False),
        ("https://h@other/v1/nodes", False),
        ("https://h:port/", False),
        ("/v1/nodes", False),
    ],
)
def test_links_are_compared_with_the_endpoint_by_host_and_port(link, same):
    assert urls.same_host(link, "https://h/baremetal") is same


@pytest.mark.parametrize(
    ("shown", "told"),
    [
        ("http://user:pass@host/v1", "http://host/v1"),
        ("http://user:p@ss@host/v1", "http://host/v1"),
        ("https://host/v1/nodes?owner=a@b", "https://host/v1/nodes?owner=a@b"),
        ("http://u:p@a/ and http://u:p@b/", "http://a/ and http://b/"),
        ("http://host to a@b", "http://host to a@b"),
    ],
)
def test_credentials_in_urls_are_removed(shown, told):
    assert urls.without_credentials(shown) == told
