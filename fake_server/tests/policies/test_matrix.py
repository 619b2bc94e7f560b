"""Everybody is answered as the published policies say, whatever they ask for in whatever way."""

from __future__ import annotations

import json
import re

import pytest
import yaml

from fake_server.block_storage import service as block_storage
from fake_server.compute import service as compute
from fake_server.image import service as image
from fake_server.networking import service as networking
from fake_server.placement import service as placement
from fake_server.tests.filled_cloud import Filled
from fake_server.tests.policies import matrix, people, right_answers
from fake_server.tests.wsgi import request
from tools.rows import some

#: What the cloud has beside what it is filled with, by the members of the project demo.
_MORE = (
    (
        "AFFINE",
        "compute",
        "/os-server-groups",
        {"server_group": {"name": "g", "policy": "affinity"}},
    ),
    ("SNAPSHOT", "volume", "/snapshots", {"snapshot": {"volume_id": "SPARE"}}),
    ("BACKUP", "volume", "/backups", {"backup": {"volume_id": "SPARE"}}),
    ("THIRD", "volume", "/volumes", {"volume": {"size": 1}}),
    (
        "ATTACHMENT",
        "volume",
        "/attachments",
        {"attachment": {"volume_uuid": "THIRD", "instance_uuid": "SERVER"}},
    ),
    ("FOURTH", "volume", "/volumes", {"volume": {"size": 1}}),
    ("TRANSFER", "volume", "/os-volume-transfer", {"transfer": {"volume_id": "FOURTH"}}),
    ("ROUTER", "network", "/routers", {"router": {"name": "r"}}),
    ("LONELY", "network", "/networks", {"network": {"name": "l"}}),
    ("TRUNK", "network", "/trunks", {"trunk": {"port_id": "SECOND"}}),
    ("POOL", "network", "/subnetpools", {"subnetpool": {"name": "p", "prefixes": ["10.8.0.0/16"]}}),
    (
        "BOUND",
        "network",
        "/ports",
        {"port": {"network_id": "NETWORK", "device_owner": "compute:nova"}},
    ),
    ("ADDRESSES", "network", "/address-groups", {"address_group": {"name": "a"}}),
    ("SCOPE", "network", "/address-scopes", {"address_scope": {"name": "s", "ip_version": 4}}),
)
_IMAGE = {"disk_format": "raw", "container_format": "bare"}
_SERVICES = {
    "nova": "compute",
    "cinder": "volume",
    "neutron": "network",
    "glance": "image",
    "placement": "placement",
}
#: The routes of each service, and what their addresses begin with.
_ROUTES = {
    "nova": (compute._ROUTES, ""),
    "cinder": (block_storage._ROUTES, ""),
    "neutron": (networking._ROUTES, "/v2.0"),
    "glance": (image._ROUTES, ""),
    "placement": (placement._ROUTES, ""),
}
_NOT_ASKED = yaml.safe_load(matrix.HERE.with_name("not_asked.yaml").read_text("utf-8"))
#: How Neutron calls the kinds of things.
_KINDS = {
    "NETWORK": "networks",
    "LONELY": "networks",
    "SUBNET": "subnets",
    "PORT": "ports",
    "GROUP": "security-groups",
    "RULE": "security-group-rules",
    "ROUTER": "routers",
    "TRUNK": "trunks",
    "POOL": "subnetpools",
    "BOUND": "ports",
    "ADDRESSES": "address-groups",
    "SCOPE": "address-scopes",
    "QOS": "qos/policies",
}
ROWS = list(matrix.rows())


class Everything(Filled):
    """A cloud with more, and its people."""

    def __init__(self):
        super().__init__("keystone")
        cloud = self.cloud
        self.people = people.everybody(cloud)
        self._be("owner-member")
        for name, service, path, body in _MORE:
            self.add(name, service, path, body, *([] if service == "image" else body))
        for name, visibility in (("OWNED", "private"), ("SHARED", "shared"), ("OPEN", "community")):
            self.add(name, "image", "/images", {"name": name, "visibility": visibility, **_IMAGE})
            path = f"/image/v2/images/{self.ids[name]}/file"
            headers = {"CONTENT_TYPE": "application/octet-stream", "HTTP_X_AUTH_TOKEN": cloud.token}
            assert cloud.app.answer(request("PUT", path, b"x", **headers)).status == 204
        self._be("owner-manager")
        self.add("QOS", "network", "/qos/policies", {"policy": {"name": "q"}}, "policy")
        projects = {
            name: self.people[f"{who}-member"].project
            for name, who in (("DEMO", "owner"), ("OTHER", "other"))
        }
        self.ids |= projects
        self._be("owner-member")
        cloud.send(
            "image", "POST", f"/images/{self.ids['SHARED']}/members", {"member": projects["OTHER"]}
        )
        self._be("admin")
        bound = {"port": {"binding:host_id": "h"}}
        cloud.send("network", "PUT", f"/ports/{self.ids['BOUND']}", bound)
        hidden = {"name": "h", "os-volume-type-access:is_public": False}
        self.add("HIDDEN", "volume", "/types", {"volume_type": hidden}, "volume_type")
        cloud("POST", "/os-aggregates", {"aggregate": {"name": "b"}})
        owner = self.people["owner-member"].credentials
        of_demo = {"project_id": owner["project_id"], "user_id": owner["user_id"]}
        self.things = dict.fromkeys((*self.ids, "DEMO", "MEMBER"), of_demo)
        self.things["OTHER"] = {"project_id": projects["OTHER"]}
        for name, visibility in (("OWNED", "private"), ("SHARED", "shared"), ("OPEN", "community")):
            self.things[name] = {**of_demo, "visibility": visibility}
        for name, kind in _KINDS.items():
            (item,) = cloud.get("network", f"/{kind}/{self.ids[name]}").values()
            self.things[name] = {**item, **self._above(item)}
        cloud.app.control.snapshots.take("filled")

    def answer(self, row, person):
        """Return status and body of what somebody is answered."""
        self.cloud.token = person.token
        path = re.sub("^/v2(?=/)", "", row.path)
        if row.service == "glance" and (row.method == "PATCH" or path.endswith("/file")):
            found = self._send_to_glance(row, path, person)
        else:
            found = self.send(_SERVICES[row.service], row.method, path, row.body, row.version)
        if found[0] < 300 and row.method != "GET":
            self.restore()
        return found

    def _send_to_glance(self, row, path, person):
        """Send what isn't plain JSON."""
        kind, data = "application/octet-stream", b"x"
        if row.method == "PATCH":
            kind, data = (
                "application/openstack-images-v2.1-json-patch",
                json.dumps(row.body).encode(),
            )
        headers = {"CONTENT_TYPE": kind, "HTTP_X_AUTH_TOKEN": person.token}
        asked = request(row.method, f"/image/v2{self._path(path)}", data, **headers)
        response = self.cloud.app.answer(asked)
        return response.status, response.body

    def _be(self, name):
        self.cloud.token = self.people[name].token

    def _above(self, item):
        """Return what policies know of what an item of Neutron is in."""
        project = {"network_id": "network", "security_group_id": "security_group"}
        above = {
            f"{kind}:project_id": item["project_id"] for key, kind in project.items() if key in item
        }
        return {"shared": False, **above}


@pytest.fixture(scope="module")
def everything():
    return Everything()


@pytest.mark.parametrize(
    "row", [pytest.param(row, id=f"{matrix.ROWS.name}:{row.line}") for row in ROWS]
)
def test_everybody_is_answered_as_the_published_policies_say(everything, row):
    wrong = []
    for name, person in some(list(everything.people.items()), row.line):
        right = right_answers.of(row, person, everything.things)
        status, body = everything.answer(row, person)
        refused = status in (401, 403) or (status == 404 and row.method == "GET" and not row.absent)
        fits = status in right.statuses if right.statuses else not refused
        if not fits:
            wanted = right.statuses or right_answers.ALLOWED
            wrong.append(
                f"{name}: {row.text}\n  is answered {status} {body}\n  right: {wanted}, {right.why}"
            )
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("service", _ROUTES)
def test_each_handler_with_a_policy_is_asked_for(service):
    routes, prefix = _ROUTES[service]
    guarded = {
        (method, address): handler
        for address, handlers in routes._by_address.items()
        for method, handler in handlers.items()
        if hasattr(handler, "__wrapped__")
    }
    asked = set()
    for row in (row for row in ROWS if row.service == service):
        # Neutron has QoS below a segment of its own.
        path = f"{prefix}{row.path.partition('?')[0]}".replace("/qos/", "/")
        asked.add(routes.find(row.method, path).handler)
    left_out = [one for row in _NOT_ASKED for one in row["addresses"]]
    missing = [
        f"{method} {address}"
        for (method, address), handler in guarded.items()
        if handler not in asked
        and not any(re.fullmatch(one, f"{service} {method} {address}") for one in left_out)
    ]
    assert missing == []


def test_a_line_that_is_no_request_is_an_error(monkeypatch, tmp_path):
    file = tmp_path / "matrix.txt"
    file.write_text("== nova\nGET servers\n")
    monkeypatch.setattr(matrix, "ROWS", file)
    with pytest.raises(ValueError, match=r"matrix\.txt:2 is no request: GET servers"):
        list(matrix.rows())
