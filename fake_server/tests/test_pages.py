"""Lists of the services beside Ironic, cut into pages: every item once, and in order.

A list without a limit is what the pages that follow each other's links have to add up to.
"""

from __future__ import annotations

from typing import NamedTuple
from urllib.parse import urlsplit

import pytest

from fake_server.tests.compute.conftest import PREFIXES, Cloud

NUMBER = 5


class Pager(NamedTuple):
    """A list of a service.

    :param path: its address, with a filter that all of them pass where there is one.
    :param make: makes one of them: a path and a body, with ``@`` for a number.
    :param sorting: queries that sort it.
    :param key: what a marker names.
    """

    service: str
    path: str
    make: tuple[str, object]
    sorting: tuple[str, ...] = ("",)
    key: str = "id"


BY_NAME = ("sort_key=name&sort_dir=asc", "sort_key=name&sort_dir=desc")
SERVERS = ("", "sort_key=display_name&sort_dir=asc", "sort_key=display_name&sort_dir=desc")
SORTED = ("", "sort=name:asc", "sort=name:desc")
FLAVOR = ("/flavors", {"flavor": {"name": "f@", "ram": 1, "vcpus": 1, "disk": 1}})
KEY = {"name": "k@", "public_key": "ssh-rsa AAAAB3NzaC1yc2E= x"}
SERVER = {"name": "s@", "flavorRef": "1", "imageRef": "IMAGE", "networks": "none"}
VOLUME = ("/volumes", {"volume": {"size": 1, "name": "v@"}})
SNAPSHOT = ("/snapshots", {"snapshot": {"volume_id": "VOLUME", "name": "s@"}})
BACKUP = ("/backups", {"backup": {"volume_id": "VOLUME", "name": "b@"}})
IMAGE = {"name": "i@", "disk_format": "raw", "container_format": "bare"}
SUBNET = {"name": "n@", "network_id": "NETWORK", "ip_version": 4, "cidr": "10.@.0.0/24"}
RULE = {"security_group_id": "GROUP", "direction": "ingress", "protocol": "tcp"}
NETWORKING = {
    "networks": {"name": "n@"},
    "subnets": SUBNET,
    "ports": {"name": "n@", "network_id": "NETWORK"},
    "routers": {"name": "n@"},
    "security-groups": {"name": "n@"},
    "security-group-rules": {**RULE, "port_range_min": "2@", "port_range_max": "2@"},
    "address-scopes": {"name": "n@", "ip_version": 4},
    "subnetpools": {"name": "n@", "prefixes": ["10.@.0.0/24"]},
}
PAGERS = (
    Pager("compute", "/servers", ("/servers", {"server": SERVER}), SERVERS),
    Pager("compute", "/servers/detail", ("/servers", {"server": SERVER}), SERVERS),
    Pager("compute", "/flavors", FLAVOR, ("", *BY_NAME)),
    Pager("compute", "/flavors/detail", FLAVOR, ("", *BY_NAME)),
    Pager("compute", "/os-keypairs", ("/os-keypairs", {"keypair": KEY}), key="name"),
    Pager("volume", "/volumes", VOLUME, SORTED),
    Pager("volume", "/volumes/detail", VOLUME, SORTED),
    Pager("volume", "/volumes/detail?status=available", VOLUME, SORTED),
    Pager("volume", "/snapshots", SNAPSHOT, SORTED),
    Pager("volume", "/snapshots/detail", SNAPSHOT, SORTED),
    Pager("volume", "/backups", BACKUP, SORTED),
    Pager("volume", "/backups/detail", BACKUP, SORTED),
    Pager("volume", "/types", ("/types", {"volume_type": {"name": "t@"}})),
    Pager("image", "/images", ("/images", IMAGE), ("", *BY_NAME)),
    Pager("image", "/images?visibility=shared", ("/images", IMAGE), ("", *BY_NAME)),
    *(
        Pager(
            "network",
            f"/{kind}",
            (f"/{kind}", {kind.replace("-", "_").removesuffix("s"): body}),
            ("", "sort_key=id&sort_dir=desc", *(BY_NAME if "name" in body else ())),
        )
        for kind, body in NETWORKING.items()
    ),
)


@pytest.fixture(scope="module")
def cloud():
    cloud = Cloud()
    made = {
        "NETWORK": ("network", "/networks", {"network": {"name": "first"}}),
        "GROUP": ("network", "/security-groups", {"security_group": {"name": "first"}}),
        "VOLUME": ("volume", "/volumes", {"volume": {"size": 1}}),
    }
    cloud.ids = {"IMAGE": "3a8b6a6b-0b2d-4d7c-9b8b-6f9c0a5c1d11"}
    for name, (service, path, body) in made.items():
        cloud.ids[name] = next(iter(cloud.send(service, "POST", path, body)[1].values()))["id"]
    flavor = {"id": "1", "name": "first", "ram": 1, "vcpus": 1, "disk": 1}
    cloud("POST", "/flavors", {"flavor": flavor})
    quota = {"quota": dict.fromkeys(("network", "subnet", "port", "router"), -1)}
    cloud.send("network", "PUT", "/quotas/admin", quota)
    cloud.made = set()
    return cloud


def fill(cloud, pager):
    """Make five of what a list shows, in another order than that of their names."""
    path, body = pager.make
    if path in cloud.made:
        return
    cloud.made.add(path)
    for number in (3, 1, 4, 0, 2):
        filled = written(body, number, cloud.ids)
        status, answer = cloud.send(pager.service, "POST", path, filled)
        assert status < 300, answer
        cloud.clock.advance(1)


def written(value, number, ids):
    """Return a body for a number, with ids for their names."""
    if isinstance(value, dict):
        return {key: written(one, number, ids) for key, one in value.items()}
    if isinstance(value, list):
        return [written(one, number, ids) for one in value]
    if isinstance(value, str):
        return ids.get(value, value.replace("@", str(number)))
    return value


def page(cloud, service, path):
    """Return the items of a page and the link to the next one, if it has one."""
    status, answer = cloud.send(service, "GET", path)
    assert status == 200, (path, answer)
    kind = next(
        key for key, value in answer.items() if isinstance(value, list) and "_links" not in key
    )
    links = answer.get(f"{kind}_links", [])
    following = [link["href"] for link in links if link["rel"] == "next"] or [answer.get("next")]
    items = [one.get("keypair", one) for one in answer[kind]]
    return items, following[0]


@pytest.mark.parametrize("pager", PAGERS, ids=lambda pager: f"{pager.service} {pager.path}")
def test_pages_add_up_to_the_list(cloud, pager):
    fill(cloud, pager)
    for sorting in pager.sorting:
        path = f"{pager.path}{'&' if '?' in pager.path else '?'}{sorting}".rstrip("?&")
        whole = [one[pager.key] for one in page(cloud, pager.service, path)[0]]
        assert len(set(whole)) == len(whole) >= NUMBER
        for size in (1, 2, len(whole) - 1, len(whole), len(whole) + 1):
            found, following = [], f"{path}{'&' if '?' in path else '?'}limit={size}"
            while following:
                items, link = page(cloud, pager.service, following)
                assert len(items) <= size
                # A page that isn't full is the last one.
                assert len(items) == size or not link
                found += [one[pager.key] for one in items]
                following = link and below(pager.service, link)
            assert found == whole, (path, size)


def below(service, link):
    """Return what is below the prefix of a service in a link."""
    parts = urlsplit(link)
    prefix = PREFIXES[service]
    path = parts.path.removeprefix(prefix).removeprefix(prefix[prefix.rindex("/v") :])
    return f"{path}?{parts.query}"


@pytest.mark.parametrize("pager", PAGERS, ids=lambda pager: f"{pager.service} {pager.path}")
def test_a_marker_that_nothing_has_is_refused(cloud, pager):
    more = "&" if "?" in pager.path else "?"
    status, _ = cloud.send(pager.service, "GET", f"{pager.path}{more}limit=1&marker=nothing")
    assert status in (400, 404)
