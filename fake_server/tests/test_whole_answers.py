"""Each value of the answers that the services beside Ironic give: versions, links and defaults."""

from __future__ import annotations

import pytest

from fake_server.tests.filled_cloud import Filled

#: By the name under which the answers are asked for and kept, what is asked.
ASKED = {
    "compute": ("/", "/v2.1/", *(f"/v2.1{path}" for path in (
        "/servers/SERVER", "/flavors/FLAVOR", "/os-keypairs/k", "/os-services",
        "/flavors?limit=1&is_public=None&sort_key=name&sort_key=id",
        "/servers/SERVER/os-volume_attachments",
    ))),
    "volume": ("/", "/v3/", "/v3/volumes/SPARE", "/v3/types/TYPE"),
    "placement": ("/", "/resource_providers/PROVIDER", "/resource_providers/PROVIDER/inventories"),
    "image": ("/", "/v2/images?limit=1&status=active"),
    "networking": ("/", "/v2.0/", *(f"/v2.0{path}" for path in (
        "/networks/NETWORK", "/subnets/SUBNET", "/ports/PORT", "/security-groups/GROUP",
    ))),
    "identity": ("/", "/v3/", "/v3/users/MEMBER"),
}  # fmt: skip
#: The least of what a seed can say of each of these, and where it is shown.
SEEDED = {
    "flavors": ({"name": "f", "ram": 1, "vcpus": 1, "disk": 1}, "/compute/v2.1/flavors/detail"),
    "images": ({"name": "i"}, "/image/v2/images"),
    "networks": ({"name": "n"}, "/networking/v2.0/networks?name=n"),
    "volume_types": ({"name": "t"}, "/volume/v3/types/t"),
    "volumes": ({"name": "v", "size": 1}, "/volume/v3/volumes/detail"),
}
#: The most characters of a row.
WIDTH = 250


def whole(answer):
    """Return status and values of an answer as rows."""
    status, body = answer
    inner = next(iter(body.values())) if isinstance(body, dict) and len(body) == 1 else body
    return rows([str(status), *leaves(inner)])


def leaves(value, path=""):
    """Yield each value of an answer with the path to it."""
    if isinstance(value, dict | list) and value:
        items = value.items() if isinstance(value, dict) else enumerate(value)
        for key, one in items:
            yield from leaves(one, f"{path}.{key}" if path else str(key))
    else:
        yield f"{path}={value}"


def rows(texts):
    """Return texts joined to rows."""
    found = [""]
    for text in texts:
        if len(found[-1]) + len(text) > WIDTH:
            found.append("")
        found[-1] = f"{found[-1]} {text}".strip()
    return found


@pytest.mark.parametrize("service", ASKED)
def test_answers_are_whole(recorded, service):
    cloud = Filled("keystone" if service == "identity" else "none")
    found = {}
    for number, path in enumerate(ASKED[service]):
        found[f"{number} {path}"] = whole(cloud.ask("any", "GET", f"/{service}{path}"))
    recorded(found)


def test_seeds_have_defaults(recorded):
    cloud = Filled("none")
    seed = {kind: [least] for kind, (least, _) in SEEDED.items()}
    cloud.cloud.app.control.seeds.load(seed)
    recorded({kind: whole(cloud.ask("any", "GET", path)) for kind, (_, path) in SEEDED.items()})
