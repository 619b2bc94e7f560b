"""What the services answer to requests that follow one another, each with what came before.

The answers were recorded from the fake server itself, so that no change goes unnoticed; that they
are right is for other tests. A deliberate change is written down with ``--record -n 0``.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from fake_server.tests import recorded
from fake_server.tests.filled_cloud import AGGREGATE, SERVER, Filled

RECORD = Path(__file__).with_name("scenarios.json.gz")
ABSENT = "00000000-0000-4000-8000-00000000dead"
INSTANCE = "5b6a6b0e-0b2d-4d7c-9b8b-6f9c0a5c1d33"
CONNECTOR = {"initiator": "iqn.x", "host": "h", "ip": "192.0.2.1"}
MULTI = {"volume": {"size": 1, "volume_type": "multiattach", "name": "m"}}


def attach(volume, **values):
    body = {"attachment": {"volume_uuid": volume, "instance_uuid": INSTANCE, **values}}
    return ("volume", "POST", "/attachments", body, "ATTACHMENT")


def act(volume, name, **values):
    return ("volume", "POST", f"/volumes/{volume}/action", {name: values})


def boot(**values):
    return ("compute", "POST", "/servers", {"server": {**SERVER, **values}})


def device(**values):
    chosen = {"source_type": "blank", "destination_type": "local", "boot_index": -1, **values}
    first = {"source_type": "image", "destination_type": "local", "boot_index": 0, "uuid": "IMAGE"}
    return boot(block_device_mapping_v2=[first, chosen])


def grant(name, tenant):
    return ("compute", "POST", "/flavors/PRIVATE/action", {name: {"tenant": tenant}})


def pin(zone):
    body = {"server": {"pinned_availability_zone": zone}}
    return ("compute", "PUT", "/servers/SERVER", body)


def key(name, version, **values):
    body = {"keypair": {"name": name, "public_key": "ssh-rsa AAAA x", **values}}
    return ("compute", "POST", "/os-keypairs", body, None, version)


def make(kind, called=None, /, **values):
    path = f"/{kind.replace('_', '-')}s"
    return ("network", "POST", path, {kind: values}, called)


def change(kind, called, /, **values):
    return ("network", "PUT", f"/{kind}s/{called}", {kind: values})


def subnet(called, cidr, **values):
    return make("subnet", called, network_id="ROUTED", ip_version=4, cidr=cidr, **values)


def node(name, *networks):
    """Yield the requests for a node that is connected to physical networks."""
    body = {"driver": "fake-hardware", "network_interface": "neutron", "name": name}
    yield ("baremetal", "POST", "/nodes", body, name.upper())
    for number, physical in enumerate(networks):
        link = {"switch_id": "52:54:00:00:00:01", "port_id": "p", "switch_info": "s"}
        port = {"node_uuid": name.upper(), "address": f"52:54:00:00:{ord(name[0]):02x}:0{number}"}
        port |= {"physical_network": physical, "local_link_connection": link}
        yield ("baremetal", "POST", "/ports", port)


def provider(name, **values):
    body = {"name": name.lower(), **values}
    return ("placement", "POST", "/resource_providers", body, name)


def upload(name):
    return ("image", "PUT", f"/images/{name}/file", {"any": "content"})


def patch(*steps):
    return ("image", "PATCH", "/images/PICTURE", list(steps))


FLAT = {"provider:network_type": "flat", "provider:physical_network": "one"}
SEGMENT = {"network_id": "ROUTED", "network_type": "vlan", "physical_network": "two"}
ROUTED = (
    make("network", "ROUTED", **FLAT),
    ("network", "GET", "/segments?network_id=ROUTED", None, "FIRST"),
    make("segment", "SECOND", **SEGMENT),
    subnet("SUBONE", "10.21.0.0/24", segment_id="FIRST"),
    subnet("SUBTWO", "10.22.0.0/24", segment_id="SECOND"),
)
BOTH = [{"subnet_id": "SUBONE"}, {"subnet_id": "SUBTWO"}]
SCENARIOS = {
    "volumes attached twice": (
        *(("volume", "POST", "/volumes", MULTI, "MULTI"), attach("MULTI"), attach("MULTI")),
        *(act("MULTI", "os-detach"), act("MULTI", "os-detach", attachment_id=ABSENT)),
        *(act("MULTI", "os-detach", attachment_id="ATTACHMENT"), act("MULTI", "os-detach")),
        *(act("MULTI", "os-detach"), attach("SPARE"), attach("SPARE")),
    ),
    "volumes to read": (
        act("SPARE", "os-update_readonly_flag", readonly=True),
        *(attach("SPARE", connector=CONNECTOR, mode=mode) for mode in ("rw", "x", "ro")),
        *(act("SPARE", "os-detach"), attach("SPARE", connector=CONNECTOR)),
        *(act("SPARE", "os-detach"), attach("SPARE", connector={**CONNECTOR, "mode": "rw"})),
    ),
    "types of volumes": (
        ("volume", "POST", "/volumes", {"volume": {"size": 1, "volume_type": "fast"}}, "FAST"),
        *(("volume", "DELETE", "/types/TYPE"), ("volume", "DELETE", "/volumes/FAST")),
        *(("volume", "DELETE", "/types/TYPE"), ("volume", "DELETE", "/types/TYPE")),
    ),
    "larger volumes": (
        *(act("SPARE", "os-extend", new_size=size) for size in (0, 1, 2, "x")),
        act("SPARE", "os-reset_status", status="error"),
        act("SPARE", "os-extend", new_size=3),
        act("VOLUME", "os-extend", new_size=2),
    ),
    "block devices": (
        *(device(attach_mode="ro"), device(attach_mode="rw"), device(attach_mode="x"), device()),
        device(source_type="volume", destination_type="volume", uuid="SPARE", attach_mode="ro"),
    ),
    "bodies that are none": tuple(
        (service, "POST", path, body)
        for service, path in (
            *(("compute", "/servers"), ("volume", "/volumes"), ("network", "/networks")),
            *(("placement", "/resource_providers"), ("image", "/images")),
            *(("baremetal", "/nodes"), ("identity", "/auth/tokens")),
        )
        for body in (float("nan"), {"a": float("inf")}, [], 5, "x", None, {"a": "\udc80"})
    ),
    "access to flavors": (
        *(grant("addTenantAccess", "a"), grant("addTenantAccess", "a")),
        *(grant("removeTenantAccess", "a"), grant("removeTenantAccess", "a")),
    ),
    "zones of servers": (
        *(pin("moon"), pin(None), pin("nova"), pin("nova"), pin("moon"), pin(None), pin("moon")),
        *(pin(5), pin("")),
    ),
    "networks of servers": (
        *(boot(networks="auto"), make("network", "NET2", name="second")),
        make("subnet", network_id="NET2", ip_version=4, cidr="10.5.0.0/24"),
        *(boot(networks="auto"), boot(networks=[]), boot(networks=[{"uuid": "NET2"}])),
    ),
    "names of keys": tuple(
        key(name, version, **({"type": "ssh"} if version != "2.1" else {}))
        for name in ("a b", "a-b_9", "a@b", "a.b", "a/b", "é", " a", "x" * 255, "x" * 256)
        for version in ("2.91", "2.92")
    ),
    "segments": (
        *ROUTED,
        *(make("segment", **SEGMENT), make("segment", **{**SEGMENT, "network_type": "moon"})),
        *(
            make("segment", **{**SEGMENT, "network_id": ABSENT}),
            change("segment", "FIRST", name="x"),
        ),
        *(subnet(None, "10.23.0.0/24"), subnet(None, "10.23.0.0/24", segment_id=ABSENT)),
        make("subnet", network_id="NETWORK", ip_version=4, cidr="10.9.0.0/24", segment_id="FIRST"),
        *(change("network", "ROUTED", **{"provider:segmentation_id": 7}),),
        *(("network", "DELETE", "/segments/FIRST"), ("network", "DELETE", "/subnets/SUBONE")),
        *(("network", "DELETE", "/segments/FIRST"), ("network", "DELETE", "/segments/FIRST")),
        change("network", "ROUTED", **{"provider:segmentation_id": 7}),
        ("network", "GET", "/segments?network_id=ROUTED"),
    ),
    "addresses in segments": (
        *ROUTED,
        make("port", network_id="ROUTED", fixed_ips=BOTH),
        *(make("port", network_id="ROUTED"), *node("one", "one"), *node("two", "two")),
        *(*node("none"), make("port", "MOVING", network_id="ROUTED", **{"binding:host_id": "ONE"})),
        *(change("port", "MOVING", **{"binding:host_id": host}) for host in ("TWO", "NONE", "ONE")),
        make("port", network_id="ROUTED", **{"binding:host_id": "NONE"}),
        make(
            "port",
            **{
                "network_id": "ROUTED",
                "binding:host_id": "ONE",
                "fixed_ips": [{"subnet_id": "SUBTWO"}],
            },
        ),
    ),
    "trunks": (
        *(make("trunk", "TRUNK", port_id="PORT"), make("trunk", port_id="PORT")),
        *(*node("one", "one"), ("network", "DELETE", "/ports/PORT")),
        change("port", "PORT", **{"binding:host_id": "ONE", "binding:vnic_type": "baremetal"}),
        *(("network", "GET", "/trunks/TRUNK"), ("network", "DELETE", "/trunks/TRUNK")),
        change("trunk", "TRUNK", admin_state_up=False),
        *(
            ("network", "DELETE", "/trunks/TRUNK"),
            change("port", "PORT", **{"binding:host_id": ""}),
        ),
        *(("network", "DELETE", "/trunks/TRUNK"), change("trunk", "TRUNK", admin_state_up=True)),
        *(("network", "DELETE", "/trunks/TRUNK"), ("network", "DELETE", "/trunks/TRUNK")),
    ),
    "extensions": (
        *(("network", "GET", f"/extensions/{name}") for name in ("x", "trunk", "quotas", "")),
        *(("network", "POST", "/extensions", {}), ("network", "GET", "/availability_zones")),
        *(("network", "GET", "/"), ("network", "PUT", "/extensions/trunk", {})),
    ),
    "trees of providers": (
        *(provider("PARENT"), provider("CHILD", parent_provider_uuid="PARENT")),
        *(("placement", "DELETE", f"/resource_providers/{name}") for name in ("PARENT", "CHILD")),
        *(("placement", "DELETE", f"/resource_providers/{name}") for name in ("PARENT", "CHILD")),
        ("placement", "DELETE", "/resource_providers/PROVIDER"),
    ),
    "questions about providers": tuple(
        ("placement", "GET", f"/{path}", None, None, version)
        for path in (
            *(f"resource_providers?member_of={AGGREGATE},{ABSENT}", "traits?associated=x"),
            *(f"resource_providers?member_of=in:{AGGREGATE},{ABSENT}", "traits?associated=TRUE"),
            *(
                f"resource_providers?member_of=!{AGGREGATE}",
                "traits?name=startswith:HW_CPU_X86_AVX5",
            ),
            *(
                "traits?name=in:HW_CPU_X86_AVX,X",
                "traits?name=x",
                "resource_providers?required=MOON",
            ),
            "allocation_candidates?resources1=VCPU:1&resources2=VCPU:1",
            "allocation_candidates?resources1=VCPU:1",
        )
        for version in ("1.23", "1.24", "1.31", "1.32", "1.39")
    ),
    "traits": tuple(
        ("placement", method, f"/traits/{name}", None, None, "1.6")
        for name in ("x", "CUSTOM_a", "CUSTOM_", f"CUSTOM_{'A' * 248}", f"CUSTOM_{'A' * 249}")
        for method in ("PUT", "PUT", "GET", "DELETE", "DELETE")
    ),
    "images": (
        ("image", "POST", "/images", {"name": "i", "id": "IMAGE"}, "PICTURE"),
        *(("image", "POST", "/images", {"name": "j", "id": "IMAGE"}), upload("PICTURE")),
        *(upload("PICTURE"), patch(), patch(5), patch({"op": "x", "path": "/name"})),
        *(
            patch({"op": op, "path": "/id", "value": value})
            for op in ("replace", "remove", "test")
            for value in ("x", "IMAGE")
        ),
        *(
            patch({"op": op, "path": "/nothing", "value": "x"})
            for op in ("replace", "remove", "add")
        ),
        patch({"op": "replace", "path": "", "value": []}),
        patch({"op": "add", "path": "name", "value": "x"}),
        patch({"op": "add", "path": "/a/b", "value": "x"}),
        *(patch({"op": "replace", "path": "/name", "value": value}) for value in ("y", 5, None)),
        *(("image", "DELETE", "/images/PICTURE"), ("image", "DELETE", "/images/PICTURE")),
    ),
}


@pytest.fixture(scope="module")
def filled():
    return Filled("none")


def saved(cloud, name, answer):
    """Keep the id of what was made under a name."""
    found = answer
    if isinstance(found, dict) and len(found) == 1:
        (found,) = found.values()
    if isinstance(found, list):
        found = found[0]
    cloud.ids[name] = found.get("id") or found.get("uuid")


def played(cloud, scenario):
    """Yield each request and its answer."""
    before = dict(cloud.ids)
    for service, method, path, *rest in scenario:
        body, name, version = (*rest, None, None, None)[:3]
        status, text = cloud.ask(service, method, path, body, version)
        if name and status < 300:
            saved(cloud, name, cloud.answer)
        yield [f"{version or ''} {service} {method} {path} {body}"[:300], text[:1500]]
    cloud.ids = before
    cloud.restore()


@pytest.mark.parametrize("name", SCENARIOS)
def test_scenarios_are_as_recorded(request, filled, name):
    recorded.check(request, RECORD, name, list(played(filled, SCENARIOS[name])))
