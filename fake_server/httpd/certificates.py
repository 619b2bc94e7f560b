"""Create a certificate for a server, with a CA of its own."""

from __future__ import annotations

import os
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from typing import TYPE_CHECKING, NamedTuple

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

if TYPE_CHECKING:
    from pathlib import Path

_LOCAL = ("localhost", "127.0.0.1", "::1")
_VALID = timedelta(days=365)
#: Clients whose clocks are late are forgiven.
_EARLIER = timedelta(days=1)


class Files(NamedTuple):
    """A certificate, its private key, and the certificate of the CA that clients are to trust."""

    certificate: Path
    key: Path
    ca: Path


def make(directory: Path, host: str) -> Files:
    """Make a certificate of a year for this machine, and a CA that signs nothing but it.

    The private key of the CA isn't kept, that of the certificate is for the user only.

    :param directory: where the files are written to.
    :param host: name or address that the certificate is for, beside those of the loopback
        interface.
    """
    ca_key, key = ec.generate_private_key(ec.SECP256R1()), ec.generate_private_key(ec.SECP256R1())
    ca_name = _name("CA of baremetal-fake-server")
    signing = _usage(key_cert_sign=True, crl_sign=True)
    ca = (
        _builder(ca_name, ca_name, ca_key, ca_key)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(signing, critical=True)
        .sign(ca_key, hashes.SHA256())
    )
    names = [_general_name(name) for name in dict.fromkeys((*_LOCAL, host))]
    server_usage = x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH])
    certificate = (
        _builder(_name("baremetal-fake-server"), ca_name, key, ca_key)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(_usage(digital_signature=True), critical=True)
        .add_extension(server_usage, critical=False)
        .add_extension(x509.SubjectAlternativeName(names), critical=False)
        .sign(ca_key, hashes.SHA256())
    )
    files = Files(directory / "server.pem", directory / "server-key.pem", directory / "ca.pem")
    pem = serialization.Encoding.PEM
    files.ca.write_bytes(ca.public_bytes(pem))
    files.certificate.write_bytes(certificate.public_bytes(pem))
    private = key.private_bytes(
        pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    with open(files.key, "wb", opener=_for_the_user_only) as file:
        file.write(private)
    return files


def _builder(
    subject: x509.Name,
    issuer: x509.Name,
    key: ec.EllipticCurvePrivateKey,
    issuer_key: ec.EllipticCurvePrivateKey,
) -> x509.CertificateBuilder:
    now = datetime.now(UTC)
    public, issuing = key.public_key(), issuer_key.public_key()
    authority = x509.AuthorityKeyIdentifier.from_issuer_public_key(issuing)
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(public)
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - _EARLIER)
        .not_valid_after(now + _VALID)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(public), critical=False)
        .add_extension(authority, critical=False)
    )


def _name(text: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])


def _general_name(name: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ip_address(name))
    except ValueError:
        return x509.DNSName(name)


def _usage(**usage: bool) -> x509.KeyUsage:
    names = ("digital_signature", "content_commitment", "key_encipherment", "data_encipherment")
    more = ("key_agreement", "key_cert_sign", "crl_sign", "encipher_only", "decipher_only")
    return x509.KeyUsage(**{**dict.fromkeys((*names, *more), False), **usage})


def _for_the_user_only(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)
