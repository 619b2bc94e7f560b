"""A response costs no more memory than it may, however it is compressed."""

from __future__ import annotations

import gzip
from http.server import BaseHTTPRequestHandler

import pytest

from fake_server.cli import connection
from fake_server.tests.baremetal.played_services import played
from fake_server.tests.cli import running


class Compressed(BaseHTTPRequestHandler):
    """Sends a short body that is long when it is decompressed."""

    def do_GET(self):
        self.send_response(200)
        self.send_header("X-OpenStack-Ironic-API-Version", "1.90")
        self.send_header("X-OpenStack-Ironic-API-Maximum-Version", "1.90")
        self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(self.server.body)))
        self.end_headers()
        self.wfile.write(self.server.body)

    def log_message(self, *_):
        pass


@pytest.mark.parametrize(
    "words", [("capture", "{}"), ("compare", "{}"), ("twin", "--port=0", "--url={}")], ids=" ".join
)
def test_a_command_gives_up_on_what_is_too_large(monkeypatch, words):
    monkeypatch.setattr(connection, "MOST_BYTES", 1_000_000)
    with played(Compressed, body=gzip.compress(b" " * 1_100_000)) as server:
        url = f"http://127.0.0.1:{server.server_port}"
        done = running.run(*(word.format(url) for word in words))
    assert done.returncode in (1, 2)
    end = "it sends more than 1,000,000 bytes"
    assert done.stderr == f"baremetal-fake-server: No response from {url}: {end}\n"
