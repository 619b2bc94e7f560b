"""TLS: the listener over encrypted sockets, and certificates of a server's own."""

from __future__ import annotations

import http.client
import re
import socket
import ssl
import stat
from datetime import UTC, datetime, timedelta

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import serialization

from fake_server.common.wsgi import ConnectionDropped
from fake_server.httpd import certificates
from fake_server.httpd.tls import Tls
from fake_server.tests.httpd.listening import serving

GET = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"
LARGE = 20_000_000
DIGEST = re.compile(r"b(['\"]).*?\1(?=[,)])")


def application(environ, start_response):
    """Answer with the scheme and the size of the body, or with much, or drop the connection."""
    if environ["PATH_INFO"] == "/drop":
        raise ConnectionDropped
    size = len(environ["wsgi.input"].read())
    data = f"{environ['wsgi.url_scheme']} {size}".encode()
    if environ["PATH_INFO"] == "/large":
        data = b"x" * LARGE
    start_response("200 OK", [("Content-Length", str(len(data)))])
    return [data]


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    return certificates.make(tmp_path_factory.mktemp("tls"), "lab.example.com")


@pytest.fixture
def port(kind_of_readiness, files):
    tls = Tls(files.certificate, files.key)
    # A machine with much to do needs a while for large bodies.
    limits = {"reading": 3.0, "idle": 5.0, "lingering": 0.5}
    with serving(application, largest=LARGE, tls=tls, **limits) as port:
        yield port


def trusting(files):
    context = ssl.create_default_context(cafile=files.ca)
    context.verify_flags |= ssl.VERIFY_X509_STRICT
    return context


def connect(port, files, context=None, name="localhost"):
    sock = socket.create_connection(("127.0.0.1", port), timeout=10)
    context = context or trusting(files)
    return context.wrap_socket(sock, server_hostname=name, suppress_ragged_eofs=False)


def plain(port):
    return socket.create_connection(("127.0.0.1", port), timeout=10)


def ask(sock, data=GET):
    sock.sendall(data)
    answer = http.client.HTTPResponse(sock)
    answer.begin()
    return answer.status, answer.read()


@pytest.mark.parametrize("version", [ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3])
def test_requests_on_a_kept_connection(port, files, version):
    context = trusting(files)
    context.minimum_version = context.maximum_version = version
    context.set_alpn_protocols(["h2", "http/1.1"])
    with connect(port, files, context) as sock:
        assert sock.selected_alpn_protocol() == "http/1.1"
        assert [ask(sock) for _ in range(3)] == [(200, b"https 0")] * 3
        sock.sendall(GET + GET)
        assert ask(sock, b"") == (200, b"https 0")


def test_another_name_is_not_in_it(port, files):
    with pytest.raises(ssl.SSLCertVerificationError):
        connect(port, files, name="example.com")


def test_large_bodies_and_answers(port, files):
    with connect(port, files) as sock:
        head = f"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: {LARGE}\r\n\r\n".encode()
        assert ask(sock, head + b"x" * LARGE) == (200, f"https {LARGE}".encode())
        status, body = ask(sock, b"GET /large HTTP/1.1\r\nHost: x\r\n\r\n")
        assert (status, len(body)) == (200, LARGE)


def test_http_without_tls_is_told(port, files):
    with plain(port) as sock:
        status, body = ask(sock)
        assert status == 400
        assert body == (
            b"The client sent a plain HTTP request, but this server only speaks HTTPS on this port."
        )
    with connect(port, files) as sock:
        assert ask(sock)[0] == 200


def test_broken_handshakes_leave_the_server_alive(port, files):
    for data in (b"", b"\x16", b"\x16\x03\x01\x00\x05hello", b"\x16" * 20_000):
        with plain(port) as sock:
            sock.sendall(data)
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
    untrusting = ssl.create_default_context()
    with pytest.raises(ssl.SSLCertVerificationError):
        connect(port, files, untrusting)
    with connect(port, files) as sock:
        assert ask(sock)[0] == 200


def test_only_the_user_may_read_the_key(files):
    assert stat.S_IMODE(files.key.stat().st_mode) == 0o600


def test_files_that_can_not_be_used(files, tmp_path):
    nowhere = tmp_path / "nowhere.pem"
    with pytest.raises(ValueError, match="nowhere") as caught:
        Tls(nowhere, files.key)
    said = f"with the key {files.key}: No such file or directory"
    assert str(caught.value) == f"Can't use the certificate {nowhere} {said}"
    other = certificates.make(tmp_path, "other")
    with pytest.raises(ValueError, match="KEY_VALUES_MISMATCH"):
        Tls(files.certificate, other.key)
    key = serialization.load_pem_private_key(files.key.read_bytes(), None)
    encrypted = tmp_path / "encrypted.pem"
    encrypted.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.BestAvailableEncryption(b"secret"),
        )
    )
    text = "^The private key of the certificate is encrypted: decrypt it first\\.$"
    with pytest.raises(ValueError, match=text):
        Tls(files.certificate, encrypted)


def test_the_ca_signs_nothing_else(files):
    ca = x509.load_pem_x509_certificate(files.ca.read_bytes())
    assert ca.extensions.get_extension_for_class(x509.BasicConstraints).value.path_length == 0
    assert len(list(files.ca.parent.iterdir())) == 3


def test_certificates_are_as_recorded(recorded, files):
    found = {}
    for name in ("ca", "certificate"):
        one = x509.load_pem_x509_certificate(getattr(files, name).read_bytes())
        assert one.not_valid_before_utc < datetime.now(UTC) - timedelta(hours=23)
        found[name] = {
            "subject": f"{one.subject.rfc4514_string()}, from {one.issuer.rfc4514_string()}",
            "days": (one.not_valid_after_utc - one.not_valid_before_utc).days,
            **{
                extension.oid._name: f"{extension.critical} {DIGEST.sub('-', str(extension.value))}"
                for extension in one.extensions
            },
        }
    recorded(found)
