"""TLS for the connections of a listener."""

from __future__ import annotations

import socket
import ssl
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NoReturn

from fake_server.httpd import readiness
from fake_server.httpd.heads import Refusal

if TYPE_CHECKING:
    import os

#: The first byte of a client that speaks TLS.
_HANDSHAKE = b"\x16"


class Tls:
    """TLS 1.2 and newer, with a certificate.

    :param certificate: file with the certificate of the server and those of the CAs between it
        and the one that clients know, in PEM.
    :param key: file with the private key, in PEM and not encrypted; the same file may have both.
    :raises ValueError: if they can't be read, or don't fit each other.
    """

    def __init__(self, certificate: str | os.PathLike[str], key: str | os.PathLike[str]) -> None:
        self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._context.sslsocket_class = _TlsSocket
        self._context.minimum_version = ssl.TLSVersion.TLSv1_2
        self._context.set_alpn_protocols(["http/1.1"])
        try:
            self._context.load_cert_chain(certificate, key, _refuse_encrypted)
        except OSError as exc:
            reason = getattr(exc, "reason", None) or exc.strerror
            text = f"Can't use the certificate {certificate} with the key {key}: {reason}"
            raise ValueError(text) from exc

    def shake_hands(self, sock: socket.socket) -> tuple[socket.socket, int]:
        """Begin or continue the handshake of a connection.

        :param sock: the connection as it was accepted, or as this returned it.
        :returns: what to use in its place from now on, and the event that the handshake waits for:
            0 if it is complete.
        :raises Refusal: if the client sends HTTP without TLS.
        :raises OSError: if the handshake fails; the socket may be closed then.
        """
        if not isinstance(sock, _TlsSocket):
            first = sock.recv(1, socket.MSG_PEEK)
            if first and first != _HANDSHAKE:
                text = "The client sent a plain HTTP request, but this server only speaks HTTPS on "
                raise Refusal("400 Bad Request", f"{text}this port.")
            sock = self._context.wrap_socket(sock, server_side=True, do_handshake_on_connect=False)
        try:
            sock.do_handshake()
        except ssl.SSLWantReadError:
            return sock, readiness.READ
        except ssl.SSLWantWriteError:
            return sock, readiness.WRITE
        return sock, 0


class _TlsSocket(ssl.SSLSocket):
    """A socket that reports what would block as sockets without TLS do.

    When :meth:`recv` is asked for 16 KiB or more, it leaves nothing behind that readiness doesn't
    show: OpenSSL reads one record at a time, and none is larger.
    """

    def recv(self, buflen: int = 1024, flags: int = 0) -> bytes:
        try:
            return super().recv(buflen, flags)
        except (ssl.SSLWantReadError, ssl.SSLWantWriteError):
            raise BlockingIOError from None

    def send(self, data: Any, flags: int = 0) -> int:
        try:
            return super().send(data, flags)
        except (ssl.SSLWantReadError, ssl.SSLWantWriteError):
            raise BlockingIOError from None

    def shutdown(self, how: int) -> None:
        # Clients may take an end that isn't announced for an answer that was cut.
        with suppress(OSError):
            self.unwrap()
        super().shutdown(how)


def _refuse_encrypted() -> NoReturn:
    raise ValueError("The private key of the certificate is encrypted: decrypt it first.")
