"""The encryption of volume types, and of the volumes of such types."""

from __future__ import annotations

import pytest

LUKS = {
    "provider": "luks",
    "control_location": "front-end",
    "cipher": "aes-xts-plain64",
    "key_size": 256,
}


@pytest.fixture
def secret(api):
    """The address of a type's encryption, with the type's id in its middle."""
    created = api("POST", "/types", {"volume_type": {"name": "secret"}})[1]["volume_type"]
    return f"/types/{created['id']}/encryption"


def test_a_type_gets_an_encryption_and_loses_it(api, secret):
    assert api("GET", secret) == (200, {})
    status, answer = api("POST", secret, {"encryption": {**LUKS, "key_size": "256"}})
    ident = answer["encryption"].pop("encryption_id")
    type_id = secret.split("/")[2]
    assert (status, answer["encryption"]) == (200, {**LUKS, "volume_type_id": type_id})
    shown = api("GET", secret)[1]
    assert {name: shown[name] for name in LUKS} == LUKS
    assert (shown["encryption_id"], shown["volume_type_id"]) == (ident, type_id)
    assert (shown["deleted"], shown["deleted_at"], shown["updated_at"]) == (False, None, None)
    assert shown["created_at"] == "2023-11-14T22:13:20.000000"
    assert api("GET", f"{secret}/cipher") == (200, {"cipher": "aes-xts-plain64"})
    changes = {"encryption": {"control_location": "back-end"}}
    assert api("PUT", f"{secret}/{ident}", changes) == (200, changes)
    assert api("GET", secret)[1]["control_location"] == "back-end"
    assert api("GET", secret)[1]["updated_at"]
    assert api("DELETE", f"{secret}/{ident}")[0] == 202
    assert api("GET", secret) == (200, {})


def test_an_encryption_is_refused_twice_and_missed_when_it_is_gone(api, secret):
    missing = f"Volume type encryption for type {secret.split('/')[2]} does not exist."
    for method, path, body in (
        ("PUT", f"{secret}/x", {"encryption": {"cipher": None}}),
        ("DELETE", f"{secret}/x", None),
        ("GET", f"{secret}/cipher", None),
    ):
        status, answer = api(method, path, body)
        assert (status, answer["itemNotFound"]["message"]) == (404, missing)
    api("POST", secret, {"encryption": LUKS})
    assert api("GET", f"{secret}/colour")[0] == 404
    status, answer = api("POST", secret, {"encryption": LUKS})
    assert status == 400
    assert "already exists" in answer["badRequest"]["message"]


@pytest.mark.parametrize(
    "changes",
    [
        {"provider": None},
        {"provider": "x" * 256},
        {"control_location": "upside-down"},
        {"cipher": 5},
        {"key_size": "large"},
        {"key_size": -1},
        {"key_size": True},
    ],
)
def test_what_an_encryption_cannot_be_is_refused(api, secret, changes):
    assert api("POST", secret, {"encryption": {**LUKS, **changes}})[0] == 400
    assert api("GET", secret) == (200, {})


def test_an_encryption_needs_a_provider_and_a_place(api, secret):
    for name in ("provider", "control_location"):
        wanted = {key: value for key, value in LUKS.items() if key != name}
        status, answer = api("POST", secret, {"encryption": wanted})
        assert (status, name in answer["badRequest"]["message"]) == (400, True)
    assert api("POST", secret, {})[0] == 400


def test_volumes_of_such_a_type_are_encrypted(api, secret):
    api("POST", secret, {"encryption": LUKS})
    volume = api.volume(volume_type="secret")
    assert volume["encrypted"] is True
    path = f"/volumes/{volume['id']}"
    assert api("GET", path, version="3.63")[1]["volume"].get("encryption_key_id") is None
    key = volume["encryption_key_id"]
    assert api("GET", f"{path}/encryption")[1] == {**LUKS, "encryption_key_id": key}
    assert api("GET", f"{path}/encryption/key_size")[1] == 256
    clone = api.volume(source_volid=volume["id"])
    assert clone["encrypted"] is True
    assert clone["encryption_key_id"] != key
    plain = api.volume()
    assert (plain["encrypted"], plain.get("encryption_key_id")) == (False, None)
    unencrypted = {"encryption_key_id": None}
    assert api("GET", f"/volumes/{plain['id']}/encryption")[1] == unencrypted
    for method, address, body in (
        ("PUT", f"{secret}/x", {"encryption": LUKS}),
        ("DELETE", f"{secret}/x", None),
    ):
        status, answer = api(method, address, body)
        assert (status, "Volume type in use" in answer["badRequest"]["message"]) == (400, True)


def test_a_type_that_volumes_have_gets_no_encryption(api, secret):
    api.volume(volume_type="secret")
    assert api("POST", secret, {"encryption": LUKS})[0] == 400


def test_encrypted_volumes_are_not_shared(api, secret):
    api("POST", secret, {"encryption": LUKS})
    specs = {"extra_specs": {"multiattach": "<is> True"}}
    assert api("POST", f"/types/{secret.split('/')[2]}/extra_specs", specs)[0] == 200
    status, answer = api("POST", "/volumes", {"volume": {"size": 1, "volume_type": "secret"}})
    assert status == 400
    assert "Multiattach" in answer["badRequest"]["message"]


def test_a_connection_tells_that_the_volume_is_encrypted(api, secret):
    api("POST", secret, {"encryption": LUKS})
    volume = api.volume(volume_type="secret")
    connector = {"initiator": "iqn.2026-11.com.example:1"}
    action = {"os-initialize_connection": {"connector": connector}}
    answer = api("POST", f"/volumes/{volume['id']}/action", action)[1]
    assert answer["connection_info"]["data"]["encrypted"] is True
