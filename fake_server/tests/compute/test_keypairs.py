"""Key pairs: made by Nova or brought along, and how they are shown."""

from __future__ import annotations

import base64
import re

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.serialization import pkcs12

from fake_server.tests.compute.conftest import message

_PATH = "/os-keypairs"
_HEX = "[0-9a-f]{2}"


def create(cloud, version, **values):
    return cloud("POST", _PATH, {"keypair": {"name": "k", **values}}, version)


@pytest.mark.parametrize(("version", "status", "typed"), [("2.1", 200, False), ("2.91", 201, True)])
def test_nova_makes_a_key_pair(cloud, version, status, typed):
    answer = create(cloud, version)
    shown = answer[1]["keypair"]
    assert (answer[0], shown.get("type")) == (status, "ssh" if typed else None)
    private = serialization.load_pem_private_key(shown["private_key"].encode(), None)
    public = private.public_key().public_bytes(
        serialization.Encoding.OpenSSH, serialization.PublicFormat.OpenSSH
    )
    assert shown["public_key"] == f"{public.decode()} Generated-by-Nova"
    assert re.fullmatch(f"({_HEX}:){{15}}{_HEX}", shown["fingerprint"])
    kept = cloud.get("compute", f"{_PATH}/k")["keypair"]
    assert kept["public_key"] == shown["public_key"]
    assert "private_key" not in kept


def test_nova_makes_a_certificate(cloud):
    shown = create(cloud, "2.2", type="x509")[1]["keypair"]
    content = base64.b64decode(shown["private_key"])
    key, certificate, _ = pkcs12.load_key_and_certificates(content, None)
    assert certificate == x509.load_pem_x509_certificate(shown["public_key"].encode())
    assert key.public_key() == certificate.public_key()
    assert shown["type"] == "x509"
    assert re.fullmatch(f"({_HEX}:){{19}}{_HEX}", shown["fingerprint"])
    again = {"name": "again", "type": "x509", "public_key": shown["public_key"]}
    status, answer = cloud("POST", _PATH, {"keypair": again})
    assert (status, answer["keypair"]["fingerprint"]) == (201, shown["fingerprint"])


def test_the_newest_version_makes_none(cloud):
    answer = create(cloud, "2.92")
    assert message(answer).endswith("'public_key' is a required property")
    assert answer[0] == 400


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("ssh", "Keypair data is invalid: failed to generate fingerprint"),
        ("x509", "Keypair data is invalid: failed to generate X509 fingerprint. Error message: "),
    ],
)
@pytest.mark.parametrize("key", ["", "none"])
def test_what_is_no_key_is_refused(cloud, kind, text, key):
    answer = create(cloud, "2.105", type=kind, public_key=key)
    assert answer[0] == 400
    assert message(answer).startswith(text)


def test_key_pairs_are_listed_in_pages(cloud):
    for name in "abc":
        create(cloud, "2.105", name=name, public_key="ssh-rsa AAAAB3NzaC1yc2E=")
    body = cloud.get("compute", f"{_PATH}?limit=1&marker=a")
    assert [one["keypair"]["name"] for one in body["keypairs"]] == ["b"]
    assert "marker=b" in body["keypairs_links"][0]["href"]
    status, older = cloud("GET", f"{_PATH}?limit=1", version="2.34")
    assert (status, len(older["keypairs"])) == (200, 3)
    assert cloud("GET", f"{_PATH}?marker=x")[0] == 400
