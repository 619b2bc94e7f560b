"""What the versions of the Compute, Placement and Block Storage APIs show and take."""

from __future__ import annotations

import textwrap

import pytest

from fake_server.tests.filled_cloud import SERVER, Filled, said


def around(major, latest, *news):
    """Return the first and the last version of an API, and those around the news of others."""
    minors = {int(major == 2), latest, *news, *(minor - 1 for minor in news)}
    return [f"{major}.{minor}" for minor in sorted(minors)]


VERSIONS = {
    "compute": around(
        *(2, 105, 2, 3, 9, 11, 16, 19, 26, 28, 36, 39, 47, 53, 55, 57, 61, 63),
        *(70, 71, 73, 75, 79, 88, 89, 96, 100, 102),
    ),
    "placement": [f"1.{minor}" for minor in range(40)],
    "volume": around(3, 71, 27, 50, 54),
}
PATHS = {
    "compute": (
        *("/servers", "/servers/SERVER", "/servers/SERVER/os-interface"),
        *("/servers/SERVER/os-volume_attachments", "/flavors", "/flavors/FLAVOR", "/os-services"),
        *("/os-hypervisors/detail", "/os-keypairs/k"),
    ),
    "placement": (
        *("/resource_providers", "/resource_providers/PROVIDER/aggregates"),
        *("/resource_providers/PROVIDER/inventories", "/allocations/CONSUMER"),
        *("/resource_providers/PROVIDER/allocations", "/usages?project_id=p"),
        "/allocation_candidates?resources=VCPU:1",
    ),
    "volume": ("/volumes/VOLUME", "/attachments", "/attachments/detail", "/types/TYPE"),
}
BOOT = {**SERVER, "flavorRef": "absent"}
FLAVOR = {"name": "f", "ram": 1, "vcpus": 1, "disk": 1}
ATTACHED = {"volumeId": "SPARE"}
VOLUMES = "/servers/SERVER/os-volume_attachments"
INTERFACES = "/servers/SERVER/os-interface"
KEY = {"name": "l", "public_key": "ssh-rsa AAAA x"}
#: Requests to Compute, and the versions in which they begin to take something, or something else.
REQUESTS = {
    "create": ("POST", "/servers", "server", BOOT, (19, 32, 37, 42, 52, 57, 63, 67, 74, 90, 94)),
    "update": ("PUT", "/servers/SERVER", "server", {"name": "t"}, (19, 90, 94, 104)),
    "rebuild": (
        *("POST", "/servers/SERVER/action", "rebuild", {"imageRef": "IMAGE"}),
        (19, 54, 57, 63, 90, 94),
    ),
    "attach": ("POST", VOLUMES, "volumeAttachment", ATTACHED, (49, 79, 101, 105)),
    "change": ("PUT", f"{VOLUMES}/VOLUME", "volumeAttachment", ATTACHED, (85,)),
    "plug": ("POST", INTERFACES, "interfaceAttachment", {"net_id": "NETWORK"}, (49,)),
    "make flavor": ("POST", "/flavors", "flavor", FLAVOR, (55, 102)),
    "describe flavor": ("PUT", "/flavors/FLAVOR", "flavor", {"description": "x"}, (55,)),
    "add key": ("POST", "/os-keypairs", "keypair", KEY, (2, 10, 92)),
}
DEVICE = {"uuid": "SPARE", "source_type": "volume", "destination_type": "volume", "boot_index": 1}
FIELDS = {
    **{"description": "x", "tags": ["a"], "tag": "a", "hostname": "a-b", "host": "h"},
    **{"hypervisor_hostname": "h", "trusted_image_certificates": ["a"], "personality": []},
    **{"user_data": "YQ==", "key_name": "k", "networks": "auto", "attach_mode": "ro"},
    **{"delete_on_termination": True, "pinned_availability_zone": "nova", "type": "ssh"},
    **{"rxtx_factor": 1.0, "swap": 1, "user_id": "u", "config_drive": True, "locked_reason": "x"},
    "block_device_mapping_v2": [{**DEVICE, "tag": "a"}],
}


@pytest.fixture(scope="module")
def cloud():
    return Filled("none")


def flat(value, at=""):
    """Yield the members of an answer with their values, as text."""
    if isinstance(value, dict) and value:
        for name, one in value.items():
            yield from flat(one, f"{at}.{name}")
    elif isinstance(value, list) and value:
        for one in value:
            yield from flat(one, at)
    else:
        shown = isinstance(value, int | str | None) and "<" not in str(value)
        yield f"{at[1:]}={value}" if shown and ".links." not in at else at[1:]


def changes(cloud, service, path):
    """Yield the versions in which an answer changes, and what comes and goes."""
    before = set()
    for version in VERSIONS[service]:
        status, answer = cloud.ask(service, "GET", path, None, version)
        inner = answer[next(iter(answer))] if len(answer) == 1 else answer
        now = set(flat(inner)) if status < 300 else {f"{status} {said(answer)[:44]}"}
        gone, new = sorted(before - now), sorted(now - before)
        if gone or new:
            names = [*new, *(f"-{name.partition('=')[0]}" for name in gone)]
            yield from textwrap.wrap(f"{version} {' '.join(names)}", 200, break_on_hyphens=False)
        before = now


@pytest.mark.parametrize("service", VERSIONS)
def test_versions_show_what_is_recorded(cloud, recorded, service):
    recorded({path: list(changes(cloud, service, path)) for path in PATHS[service]})


def test_fields_are_taken_since_the_recorded_versions(cloud, recorded):
    found = {}
    for what, (method, path, key, base, news) in REQUESTS.items():
        for field, value in FIELDS.items():
            outcomes = {}
            for version in around(2, 105, *news):
                body = {key: {**base, field: value}}
                status, answer = cloud.ask("compute", method, path, body, version)
                text = f"{status} {said(answer)[:44]}" if status >= 400 else "taken"
                if "Additional properties" in str(answer):
                    text = "unknown"
                outcomes.setdefault(text, version)
                if status < 300:
                    cloud.restore()
            if set(outcomes) - {"404 The resource could not be found."} != {"unknown"}:
                found[f"{what}: {field}"] = [f"{one} {text}" for text, one in outcomes.items()]
    recorded(found)
