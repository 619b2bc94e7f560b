from __future__ import annotations

from fake_server.common.rest import Match, Routes


def routes():
    found = Routes()
    for address in ("/volumes/{volume_id}", "/volumes/detail"):
        found.add("GET", address)(lambda **_: None)
    return found


def test_an_address_without_placeholders_comes_first():
    assert routes().find("GET", "/volumes/detail/").arguments == {}


def test_a_placeholder_is_an_identifier_like_others():
    found = routes().find("GET", "/volumes/{volume_id}")
    assert isinstance(found, Match)
    assert found.arguments == {"volume_id": "{volume_id}"}
