"""A server of recorded pages: 10,000 detailed nodes, so that only the client's cost is seen.

Run as a process of its own: ``python -m bench.pages`` prints its URL and serves until killed.
"""

from __future__ import annotations

import json
import uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, cast
from urllib.parse import parse_qs, urlsplit

NODES = 10_000
PAGE = 1_000
VERSIONS = {
    "X-OpenStack-Ironic-API-Minimum-Version": "1.1",
    "X-OpenStack-Ironic-API-Maximum-Version": "1.115",
    "X-OpenStack-Ironic-API-Version": "1.115",
}
INTERFACES = (
    "bios",
    "boot",
    "console",
    "deploy",
    "firmware",
    "inspect",
    "management",
    "network",
    "power",
    "raid",
    "rescue",
    "storage",
    "vendor",
)


def node(number: int) -> dict[str, Any]:
    """Return one node as `GET /v1/nodes/detail` of API version 1.115 shows it."""
    ident = str(uuid.UUID(int=number))
    return {
        "uuid": ident,
        "name": f"node-{number}",
        "driver": "fake-hardware",
        "driver_info": {"address": "192.0.2.1"},
        "driver_internal_info": {},
        "extra": {"rack": number // 40},
        "instance_info": {},
        "instance_uuid": None,
        "maintenance": False,
        "power_state": "power off",
        "properties": {"cpus": 8, "memory_mb": 32768, "local_gb": 100, "cpu_arch": "x86_64"},
        "provision_state": "available",
        "reservation": None,
        "resource_class": "baremetal",
        "traits": ["CUSTOM_A", "HW_CPU_X86_VMX"],
        "created_at": "2026-01-01T00:00:00+00:00",
        "updated_at": None,
        "links": [{"rel": "self", "href": f"http://127.0.0.1/v1/nodes/{ident}"}],
        **{f"{kind}_interface": "fake" for kind in INTERFACES},
    }


def connector() -> dict[str, Any]:
    """Return a volume connector as `GET /v1/volume/connectors/UUID` shows it."""
    ident = str(uuid.UUID(int=1))
    href = f"http://127.0.0.1/v1/volume/connectors/{ident}"
    return {
        "uuid": ident,
        "node_uuid": ident,
        "type": "iqn",
        "connector_id": "iqn.2026-01.org.example:1",
        "extra": {},
        "created_at": "2026-01-01T00:00:00+00:00",
        "updated_at": None,
        "links": [{"rel": "self", "href": href}],
    }


def page(start: int, size: int, base: str) -> bytes:
    """Return one page of the list, with its next link."""
    end = min(start + size, NODES)
    body: dict[str, Any] = {"nodes": [node(number) for number in range(start, end)]}
    if end < NODES:
        marker = uuid.UUID(int=end - 1)
        body["next"] = f"{base}/v1/nodes/detail?limit={size}&marker={marker}"
    return json.dumps(body).encode()


class PageServer(ThreadingHTTPServer):
    """Keeps each page that was asked for once."""

    cache: dict[tuple[int, int], bytes]

    def body(self, start: int, size: int) -> bytes:
        """Return a page's bytes, made at its first request."""
        key = (start, size)
        if key not in self.cache:
            self.cache[key] = page(start, size, f"http://127.0.0.1:{self.server_port}")
        return self.cache[key]


class Handler(BaseHTTPRequestHandler):
    """Answers a node, the list of nodes, a volume connector, and version discovery."""

    protocol_version = "HTTP/1.1"
    wbufsize = -1  # head and body leave together, or each request waits for a delayed ACK

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Keep the benchmark's output clean."""

    def do_GET(self) -> None:
        """Answer a request."""
        server = cast("PageServer", self.server)
        url = urlsplit(self.path)
        if url.path in ("/v1/nodes/detail", "/v1/nodes"):
            query = parse_qs(url.query)
            size = min(int(query.get("limit", ["0"])[0]) or PAGE, PAGE)
            marker = query.get("marker")
            data = server.body(uuid.UUID(marker[0]).int + 1 if marker else 0, size)
        elif url.path.startswith("/v1/nodes/"):
            data = json.dumps(node(1)).encode()
        elif url.path.startswith("/v1/volume/connectors/"):
            data = json.dumps(connector()).encode()
        else:
            version = {"id": "v1", "status": "CURRENT", "min_version": "1.1", "version": "1.115"}
            href = f"http://{self.headers['Host']}/v1/"
            version["links"] = [{"rel": "self", "href": href}]  # type: ignore[assignment]
            data = json.dumps({"id": "v1", "versions": [version], "version": version}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        for name, value in VERSIONS.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)


def main() -> None:
    """Serve until killed."""
    server = PageServer(("127.0.0.1", 0), Handler)
    server.cache = {}
    print(f"http://127.0.0.1:{server.server_port}", flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
