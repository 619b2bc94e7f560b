"""Who may use each route of the services beside Ironic, and each of their actions.

Bodies are empty, so that nothing happens where somebody may.
"""

from __future__ import annotations

from collections import defaultdict
from itertools import product

import pytest

from fake_server.block_storage import service as block_storage
from fake_server.block_storage.handlers import actions as volume_actions
from fake_server.compute import service as compute
from fake_server.compute.handlers import server_actions
from fake_server.identity import service as identity
from fake_server.image import service as image
from fake_server.networking import service as networking
from fake_server.placement import service as placement
from fake_server.tests.filled_cloud import Filled

#: Accounts and their projects, by what the record calls them: those that change least come first.
ACCOUNTS = {
    "other": ("other-member", "other"),
    "reader": ("project-reader", "demo"),
    "system": ("system-reader", None),
    "member": ("project-member", "demo"),
    "lead": ("project-admin", "demo"),
    "operator": ("system-member", None),
    "nova": ("nova", "service"),
    "admin": ("admin", "admin"),
}
# By the name in the catalog: the routes, and what they begin with.
SERVICES = {
    "compute": (compute._ROUTES, ""),
    "identity": (identity._ROUTES, "/v3"),
    "image": (image._ROUTES, "/v2"),
    "network": (networking._ROUTES, "/v2.0"),
    "placement": (placement._ROUTES, ""),
    "volume": (block_storage._ROUTES, ""),
}
NETWORKING = {
    "networks": "NETWORK",
    "subnets": "SUBNET",
    "ports": "PORT",
    "security-groups": "GROUP",
    "security-group-rules": "RULE",
    "trunks": "x",
}
# What a path without its service begins with, and the ids that take the place of placeholders.
IDS = {
    "/servers": {
        "ident": "SERVER",
        "server_id": "SERVER",
        "volume_id": "VOLUME",
        "port_id": "PORT",
    },
    "/flavors": {"ident": "PRIVATE"},
    "/os-keypairs": {"name": "k"},
    "/users": {"ident": "MEMBER", "user_id": "MEMBER"},
    "/images": {"ident": "IMAGE"},
    "/volumes": {"ident": "SPARE"},
    "/types": {"ident": "TYPE"},
    "/resource_providers": {"uuid": "PROVIDER", "name": "VCPU"},
    "/allocations": {"uuid": "CONSUMER"},
    **{f"/{kind}": {"ident": ident} for kind, ident in NETWORKING.items()},
}
ACTIONS = {
    "/servers/SERVER/action": server_actions._ACTIONS,
    "/volumes/SPARE/action": volume_actions._ACTIONS,
}


def requests(service):
    """Yield the method, the path and the body of each request."""
    routes, prefix = SERVICES[service]
    for address, handlers in routes._by_address.items():
        kinds = NETWORKING if "{kind}" in address else ("",)
        for method, kind in product(sorted(handlers), kinds):
            path = address.removeprefix(prefix).replace("{kind}", kind)
            ids = next((ids for begin, ids in IDS.items() if path.startswith(begin)), {})
            for name, ident in ids.items():
                path = path.replace(f"{{{name}}}", ident)
            path = path.replace("{", "").replace("}", "")
            if path in ACTIONS:
                yield from ((method, path, {action: None}) for action in ACTIONS[path])
            else:
                body = [] if method == "PATCH" else {}
                yield method, path, None if method in ("GET", "HEAD", "DELETE") else body


@pytest.fixture(scope="module")
def filled():
    return Filled("keystone")


@pytest.mark.parametrize("service", SERVICES)
def test_routes_are_for_whom_is_recorded(filled, recorded, service):
    answers = defaultdict(lambda: defaultdict(list))
    for called, account in ACCOUNTS.items():
        filled.log_in(*account)
        for method, path, body in requests(service):
            status, _ = filled.ask(service, method, path, body)
            answers[f"{method} {path} {body or ''}".rstrip()][status].append(called)
            if status < 300 and method not in ("GET", "HEAD"):
                filled.restore()
                filled.log_in(*account)
    found = {
        request: [f"{status}: {' '.join(accounts)}" for status, accounts in by_status.items()]
        for request, by_status in answers.items()
    }
    recorded(found)


@pytest.mark.parametrize(("version", "status"), [("2.84", 403), ("2.85", 202)])
def test_members_change_attachments_since_a_version(filled, version, status):
    filled.log_in("project-member", "demo")
    path = "/servers/SERVER/os-volume_attachments/VOLUME"
    body = {"volumeAttachment": {"volumeId": "VOLUME"}}
    assert filled.ask("compute", "PUT", path, body, version)[0] == status
