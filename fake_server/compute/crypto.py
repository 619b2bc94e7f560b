"""Keys that users log in with: made, and told apart by fingerprints, as ``nova.crypto`` does."""

from __future__ import annotations

import base64
import binascii
import hashlib
from datetime import timedelta
from typing import TYPE_CHECKING

from fake_server.common.errors import BadRequest

if TYPE_CHECKING:
    from datetime import datetime

    from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey

SSH, X509 = "ssh", "x509"
_DAYS = 3650
#: The name of a user in a certificate for Windows (its "user principal name").
_PRINCIPAL_NAME = "1.3.6.1.4.1.311.20.2.3"
_UTF8_STRING = 0x0C


class InvalidKeypair(BadRequest):
    """What a client sent is no key."""

    form = "Keypair data is invalid: {}"


def generate_key_pair() -> tuple[str, str]:
    """Return a private key in PEM, and its public key as OpenSSH has it."""
    from cryptography.hazmat.primitives import serialization

    key = _rsa_key()
    private = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.TraditionalOpenSSL,
        serialization.NoEncryption(),
    )
    public = key.public_key().public_bytes(
        serialization.Encoding.OpenSSH, serialization.PublicFormat.OpenSSH
    )
    return private.decode(), f"{public.decode()} Generated-by-Nova"


def generate_certificate(user_id: str, now: datetime) -> tuple[str, str]:
    """Return a certificate's private key (PKCS#12 in Base64), and the certificate in PEM."""
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.serialization import pkcs12
    from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

    key = _rsa_key()
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, user_id)])
    principal = f"{user_id}@localhost".encode()
    alternative = x509.OtherName(
        x509.ObjectIdentifier(_PRINCIPAL_NAME), bytes([_UTF8_STRING, len(principal)]) + principal
    )
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now)
        .not_valid_after(now + timedelta(days=_DAYS))
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.CLIENT_AUTH]), critical=False)
        .add_extension(x509.SubjectAlternativeName([alternative]), critical=False)
        .sign(key, hashes.SHA256())
    )
    both = pkcs12.serialize_key_and_certificates(
        None, key, certificate, None, serialization.NoEncryption()
    )
    shown = certificate.public_bytes(serialization.Encoding.PEM).decode()
    return base64.b64encode(both).decode(), shown


def fingerprint(public_key: str, kind: str) -> str:
    """Return the fingerprint of a public key or certificate; raise InvalidKeypair for what is none.

    :param kind: :data:`SSH` or :data:`X509`.
    """
    digest = _digest_of_certificate(public_key) if kind == X509 else _digest_of_key(public_key)
    return ":".join(digest[start : start + 2] for start in range(0, len(digest), 2))


def _rsa_key() -> RSAPrivateKey:
    from cryptography.hazmat.primitives.asymmetric import rsa

    return rsa.generate_private_key(public_exponent=65537, key_size=2048)


def _digest_of_key(public_key: str) -> str:
    words = public_key.split()
    try:
        content = base64.b64decode(words[1], validate=True)
    except (IndexError, binascii.Error, ValueError):
        content = b""
    # A key begins with its type, as it is called in front of it.
    kind = words[0].encode() if words else b""
    if not content.startswith(len(kind).to_bytes(4) + kind):
        raise InvalidKeypair("failed to generate fingerprint")
    return hashlib.md5(content, usedforsecurity=False).hexdigest()


def _digest_of_certificate(certificate: str) -> str:
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes

    try:
        found = x509.load_pem_x509_certificate(certificate.encode())
    except ValueError as exc:
        raise InvalidKeypair(f"failed to generate X509 fingerprint. Error message: {exc}") from None
    return found.fingerprint(hashes.SHA1()).hex()  # noqa: S303 - it is what Nova shows
