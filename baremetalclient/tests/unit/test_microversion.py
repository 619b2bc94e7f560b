from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from baremetalclient import exc
from baremetalclient.microversion import Version, negotiate

versions = st.builds(Version, st.integers(1, 2), st.integers(0, 150))
ranges = st.tuples(versions, versions).map(lambda pair: (min(pair), max(pair)))


@given(versions)
def test_text_and_pair_are_the_same_version(version):
    assert Version.parse(str(version)) == version
    assert Version.parse((version.major, version.minor)) == version
    assert Version.parse(version) is version


def test_versions_compare_by_number():
    assert Version.parse("1.9") < Version.parse("1.10") < Version.parse("2.0")


@given(ranges, ranges)
def test_without_a_request_the_highest_common_version_is_used(server, client):
    lowest, highest = max(server[0], client[0]), min(server[1], client[1])
    assume(lowest <= highest)
    assert negotiate((), *server, *client) == highest


@given(st.lists(versions, min_size=1), ranges, ranges)
def test_the_highest_acceptable_common_version_is_used(requested, server, client):
    common = [
        version
        for version in requested
        if server[0] <= version <= server[1] and client[0] <= version <= client[1]
    ]
    if common:
        assert negotiate(requested, *server, *client) == max(common)
    else:
        with pytest.raises(exc.UnsupportedVersion) as caught:
            negotiate(requested, *server, *client)
        advised = max(server[0], client[0]) <= min(server[1], client[1])
        advice = "os_ironic_api_version" if advised else "no version in common"
        for part in (*requested, *server, *client, advice):
            assert str(part) in str(caught.value)


@given(st.lists(versions, min_size=4, max_size=4, unique=True), st.booleans())
def test_nothing_in_common_is_an_error(bounds, server_is_newer):
    bounds.sort(reverse=server_is_newer)
    server, client = sorted(bounds[:2]), sorted(bounds[2:])
    with pytest.raises(exc.UnsupportedVersion, match="They have no version in common"):
        negotiate((), *server, *client)
