"""What the services answer about a cloud in use: to each account, in each version, in pages.

The answers were recorded from the fake server itself, so that no change goes unnoticed; that they
are right is for other tests. A deliberate change is written down with ``--record -n 0``.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fake_server.tests import recorded
from fake_server.tests.filled_cloud import AGGREGATE, OWNER, PRIVATE, SERVER, Filled
from fake_server.tests.refused_by_services import REFUSED

RECORD = Path(__file__).with_name("clouds.json.gz")
ACCOUNTS = (
    *(("other-member", "other"), ("project-reader", "demo"), ("system-reader", None)),
    *(("project-member", "demo"), ("project-admin", "demo"), ("system-member", None)),
    *(("nova", "service"), ("admin", "admin")),
)


# What each account asks: service, method, path, body.
ASKED = (
    *(
        ("network", "GET", path)
        for path in (
            *("/networks", "/networks/NETWORK", "/subnets/SUBNET", "/ports", "/ports/PORT"),
            *("/security-groups", "/security-groups/GROUP", "/security-group-rules/RULE"),
            *(
                "/agents",
                "/quotas",
                "/quotas/x",
                "/quotas/x/default",
                "/quotas/x/details",
                "/trunks",
            ),
        )
    ),
    ("network", "PUT", "/networks/NETWORK", {"network": {"shared": True}}),
    ("network", "PUT", "/networks/NETWORK", {"network": {"name": "x"}}),
    ("network", "PUT", "/subnets/SUBNET", {"subnet": {"name": "x"}}),
    ("network", "PUT", "/ports/PORT", {"port": {"name": "x"}}),
    ("network", "PUT", "/ports/PORT", {"port": {"binding:host_id": "h"}}),
    ("network", "PUT", "/ports/PORT", {"port": {"mac_address": "52:54:00:00:00:01"}}),
    ("network", "PUT", "/security-groups/GROUP", {"security_group": {"name": "x"}}),
    ("network", "POST", "/networks", {"network": {}}),
    ("network", "POST", "/networks", {"network": {"provider:network_type": "vlan"}}),
    ("network", "POST", "/ports", {"port": {"network_id": "NETWORK"}}),
    ("network", "POST", "/ports", {"port": {"network_id": "NETWORK", "fixed_ips": []}}),
    ("network", "DELETE", "/security-group-rules/RULE"),
    ("network", "DELETE", "/ports/PORT"),
    ("network", "DELETE", "/networks/NETWORK"),
    *(
        ("volume", "GET", path)
        for path in (
            *("/volumes", "/volumes/detail", "/volumes/VOLUME", "/volumes?all_tenants=1"),
            *("/volumes/VOLUME/metadata", "/attachments", "/attachments/detail", "/types"),
            *("/types/TYPE", "/types/TYPE/extra_specs", "/limits"),
        )
    ),
    ("volume", "PUT", "/volumes/SPARE", {"volume": {"name": "x"}}),
    ("volume", "POST", "/volumes/SPARE/metadata", {"metadata": {"a": "b"}}),
    ("volume", "POST", "/volumes/SPARE/action", {"os-set_bootable": {"bootable": True}}),
    ("volume", "POST", "/volumes/SPARE/action", {"os-reset_status": {"status": "error"}}),
    ("volume", "POST", "/volumes/SPARE/action", {"os-force_delete": {}}),
    ("volume", "POST", "/volumes/SPARE/action", {"os-extend": {"new_size": 2}}),
    ("volume", "POST", "/attachments", {"attachment": {"volume_uuid": "SPARE"}}),
    ("volume", "POST", "/types", {"volume_type": {"name": "x"}}),
    ("volume", "POST", "/types/TYPE/extra_specs", {"extra_specs": {"a": "b"}}),
    ("volume", "DELETE", "/types/TYPE"),
    ("volume", "DELETE", "/volumes/SPARE"),
    ("volume", "DELETE", "/volumes/VOLUME"),
    *(
        ("compute", "GET", path)
        for path in (
            *("/servers", "/servers/detail", "/servers/SERVER", "/servers/detail?all_tenants=1"),
            *("/servers/SERVER/ips", "/servers/SERVER/metadata", "/servers/SERVER/os-interface"),
            *("/servers/SERVER/os-volume_attachments", "/flavors", "/flavors/PRIVATE"),
            *("/flavors/FLAVOR/os-extra_specs", "/flavors/PRIVATE/os-flavor-access"),
            *("/os-services", "/os-hypervisors", "/os-hypervisors/detail", "/os-keypairs"),
            *("/os-keypairs/k", "/os-availability-zone", "/limits"),
        )
    ),
    ("compute", "PUT", "/servers/SERVER", {"server": {"name": "x"}}),
    ("compute", "POST", "/servers/SERVER/metadata", {"metadata": {"a": "b"}}),
    *(
        ("compute", "POST", "/servers", {"server": {**SERVER, "networks": networks}})
        for networks in ("auto", [], [{"uuid": "NETWORK"}], [{"port": "PORT"}], [{"uuid": "x"}])
    ),
    *(
        ("compute", "POST", "/servers/SERVER/action", {action: value})
        for action, value in (
            *(("os-stop", None), ("reboot", {"type": "HARD"})),
            *(("os-resetState", {"state": "error"}), ("rebuild", {"imageRef": "IMAGE"})),
        )
    ),
    (
        "compute",
        "PUT",
        "/servers/SERVER/os-volume_attachments/VOLUME",
        {"volumeAttachment": {"volumeId": "VOLUME", "delete_on_termination": True}},
    ),
    (
        "compute",
        "PUT",
        "/servers/SERVER/os-volume_attachments/VOLUME",
        {"volumeAttachment": {"volumeId": "SPARE"}},
    ),
    ("compute", "DELETE", "/servers/SERVER/os-volume_attachments/VOLUME"),
    (
        "compute",
        "POST",
        "/servers/SERVER/os-volume_attachments",
        {"volumeAttachment": {"volumeId": "SPARE"}},
    ),
    ("compute", "POST", "/flavors", {"flavor": {**PRIVATE, "id": "flavor-x", "name": "x"}}),
    ("compute", "PUT", "/flavors/FLAVOR", {"flavor": {"description": "x"}}),
    ("compute", "POST", "/flavors/FLAVOR/os-extra_specs", {"extra_specs": {"a": "b"}}),
    ("compute", "POST", "/flavors/PRIVATE/action", {"addTenantAccess": {"tenant": "x"}}),
    ("compute", "DELETE", "/flavors/PRIVATE"),
    ("compute", "DELETE", "/os-keypairs/k"),
    ("compute", "DELETE", "/servers/SERVER"),
    *(
        ("placement", "GET", path)
        for path in (
            *("/resource_providers", "/resource_providers/PROVIDER/usages", "/traits"),
            *("/resource_providers/PROVIDER/inventories", "/allocations/CONSUMER"),
            *("/resource_providers/PROVIDER/allocations", "/usages?project_id=p"),
            *("/resource_classes/VCPU", "/allocation_candidates?resources=VCPU:1"),
        )
    ),
    ("placement", "POST", "/resource_providers", {"name": "x"}),
    ("placement", "PUT", "/traits/CUSTOM_X"),
    ("placement", "PUT", "/resource_classes/CUSTOM_X"),
    ("placement", "DELETE", "/allocations/CONSUMER"),
    ("placement", "DELETE", "/resource_providers/PROVIDER"),
    ("image", "GET", "/images"),
    ("image", "POST", "/images", {"name": "i"}),
    *(
        ("identity", "GET", path)
        for path in (
            *("/users", "/projects", "/roles", "/auth/projects", "/auth/system", "/services"),
            *("/auth/catalog", "/endpoints", "/domains", "/regions", "/role_assignments"),
            *(
                "/auth/domains",
                "/auth/tokens",
                "/users/MYSELF",
                "/users/MEMBER",
                "/domains/default",
            ),
            *("/users/MYSELF/projects", "/users/MEMBER/projects", "/regions/RegionOne"),
            *("/role_assignments?include_names", "/role_assignments?user.id=MEMBER"),
            *("/role_assignments?scope.project.id=x", "/role_assignments?scope.system=all"),
            *("/users/MYSELF/application_credentials", "/users/MEMBER/application_credentials"),
            "/users/MEMBER/application_credentials/CREDENTIAL",
            "/users/MYSELF/application_credentials/CREDENTIAL",
        )
    ),
    *(
        (
            "identity",
            "POST",
            "/users/MYSELF/application_credentials",
            {"application_credential": {"name": "d", **values}},
        )
        for values in (
            {},
            {"secret": "s3cret", "description": "text", "unrestricted": True},
            {"expires_at": "2031-01-01T00:00:00.000000"},
            *({"roles": [{"name": role}]} for role in ("admin", "member", "reader")),
        )
    ),
    (
        "identity",
        "POST",
        "/users/MYSELF/application_credentials",
        {"application_credential": {"name": "c"}},
    ),
    *(("identity", "PUT", path, {}) for path in ("/projects", "/auth/tokens", "/users/MYSELF")),
    ("identity", "DELETE", "/users/MEMBER/application_credentials/CREDENTIAL"),
    ("identity", "DELETE", "/users/MYSELF/application_credentials/CREDENTIAL"),
    *(
        (
            "identity",
            "POST",
            "/auth/tokens",
            {
                "auth": {
                    "identity": {
                        "methods": ["application_credential"],
                        "application_credential": {"id": "CREDENTIAL", "secret": secret},
                    }
                }
            },
        )
        for secret in ("s3cret", "wrong")
    ),
)


@pytest.fixture(scope="module")
def of_projects():
    return Filled("keystone")


@pytest.fixture(scope="module")
def open_to_all():
    return Filled("none")


@pytest.mark.parametrize(
    "service", ["network", "volume", "compute", "placement", "image", "identity"]
)
def test_accounts_are_answered_as_recorded(of_projects, request, service):
    found = {}
    for name, project in ACCOUNTS:
        of_projects.log_in(name, project)
        for asked, method, path, *body in ASKED:
            if asked == service:
                status, text = of_projects.ask(service, method, path, *body)
                found[f"{name}: {method} {path} {body}"] = text
                if method != "GET" and status < 300:
                    of_projects.restore()
                    of_projects.log_in(name, project)
    recorded.check(request, RECORD, f"accounts of {service}", found)


def claims():
    """Yield the bodies of allocations that some version takes."""
    listed = [{"resource_provider": {"uuid": "PROVIDER"}, "resources": {"VCPU": 1}}]
    named = {"PROVIDER": {"resources": {"VCPU": 1}}}
    owner = {"project_id": "p", "user_id": "u"}
    yield {"allocations": listed}
    yield {"allocations": listed, **owner}
    yield {"allocations": named, **owner}
    yield {"allocations": named, **OWNER}
    yield {"allocations": named, **OWNER, "mappings": {"": ["PROVIDER"]}}
    yield {"allocations": named, **OWNER, "consumer_type": "MIGRATION"}


# Most versions of Placement change something.
VERSIONED = {
    "placement": [f"1.{minor}" for minor in range(40)],
    "compute": recorded.around(
        *("2.1", "2.105", 2, 3, 9, 11, 16, 19, 26, 28, 36, 39, 47, 53, 55, 57, 61, 63),
        *(70, 71, 73, 75, 79, 88, 89, 96, 100, 102),
    ),
    "volume": recorded.around("3.0", "3.71", 27, 50, 54),
}
FURTHER = (
    *("/resource_providers/PROVIDER", "/resource_providers/PROVIDER/aggregates"),
    *("/resource_providers/PROVIDER/traits", "/usages?project_id=p&user_id=u"),
    f"/resource_providers?member_of={AGGREGATE}",
    *("/resource_providers?resources=VCPU:1", "/resource_providers?required=HW_CPU_X86_AVX"),
    "/allocation_candidates?resources=VCPU:1,MEMORY_MB:1",
    "/allocation_candidates?resources1=VCPU:1&resources2=MEMORY_MB:1&group_policy=none",
)


@pytest.mark.parametrize("service", VERSIONED)
def test_versions_show_what_is_there_as_recorded(open_to_all, request, service):
    asked = {path for name, method, path, *_ in ASKED if (name, method) == (service, "GET")}
    found = {path: [] for path in sorted({*asked, *(FURTHER if service == "placement" else ())})}
    for path, changes in found.items():
        for version in VERSIONED[service]:
            _, text = open_to_all.ask(service, "GET", path, None, version)
            if not changes or changes[-1][1] != text:
                changes.append([version, text])
    recorded.check(request, RECORD, f"versions of {service}", found)


def test_versions_take_allocations_as_recorded(open_to_all, request):
    found = {}
    for number, body in enumerate(claims()):
        changes = found[f"{number} {sorted(body)}"] = []
        for version in VERSIONED["placement"]:
            status, text = open_to_all.ask("placement", "PUT", "/allocations/NEW", body, version)
            if status == 204:
                text += open_to_all.ask("placement", "GET", "/allocations/NEW", None, "1.39")[1]
                open_to_all.ask("placement", "DELETE", "/allocations/NEW")
            if not changes or changes[-1][1] != text:
                changes.append([version, text])
    open_to_all.restore()
    recorded.check(request, RECORD, "allocations", found)


INSTANCE = "5b6a6b0e-0b2d-4d7c-9b8b-6f9c0a5c1d33"
ATTACHED = {"volume_uuid": "SPARE", "instance_uuid": INSTANCE}
CONNECTOR = {"initiator": "iqn.x", "host": "h", "ip": "192.0.2.1"}
# What some versions of Block Storage take and others refuse.
WRITES = (
    ("POST", "/attachments", {"attachment": ATTACHED}),
    ("POST", "/attachments", {"attachment": {**ATTACHED, "mode": "ro"}}),
    ("POST", "/attachments", {"attachment": {**ATTACHED, "mode": "x"}}),
    ("POST", "/attachments", {"attachment": {**ATTACHED, "connector": CONNECTOR}}),
    (
        "POST",
        "/attachments",
        {"attachment": {**ATTACHED, "connector": {**CONNECTOR, "mode": "ro"}, "mode": "rw"}},
    ),
    ("POST", "/volumes", {"volume": {"size": 1, "multiattach": True}}),
    ("POST", "/volumes", {"volume": {"size": 1, "group_id": None, "backup_id": None}}),
    ("POST", "/volumes/SPARE/action", {"os-reserve": {}}),
    (
        "POST",
        "/volumes/SPARE/action",
        {"os-attach": {"instance_uuid": INSTANCE, "mountpoint": "/x"}},
    ),
    ("POST", "/volumes/VOLUME/action", {"os-extend": {"new_size": 2}}),
    ("POST", "/volumes/SPARE/action", {"os-retype": {"new_type": "TYPE"}}),
    ("POST", "/volumes/SPARE/action", {"os-initialize_connection": {"connector": CONNECTOR}}),
    ("POST", "/volumes/SPARE/action", {"os-reset_status": {"status": "error"}}),
    ("DELETE", "/volumes/SPARE", None),
)


def test_versions_of_block_storage_take_what_is_recorded(open_to_all, request):
    found = {}
    for method, path, body in WRITES:
        changes = found[f"{method} {path} {body}"] = []
        for version in VERSIONED["volume"]:
            status, text = open_to_all.ask("volume", method, path, body, version)
            if status < 300:
                text += open_to_all.ask("volume", "GET", "/volumes/detail", None, "3.71")[1]
                open_to_all.restore()
            if not changes or changes[-1][1] != text:
                changes.append([version, text])
    recorded.check(request, RECORD, "writes of volume", found)


LISTS = {
    "network": ("/networks", "/ports", "/security-groups", "/security-group-rules"),
    "volume": ("/volumes", "/volumes/detail", "/types", "/attachments"),
    "compute": ("/servers", "/servers/detail", "/flavors", "/flavors/detail", "/os-keypairs"),
    "image": ("/images",),
}
PAGES = (
    *("limit=1", "limit=2", "limit=0", "limit=-1", "limit=x", "marker=x", "limit=1&marker=x"),
    *("sort_key=name", "sort_key=name&sort_dir=desc", "sort_key=x", "sort_dir=x"),
    *("name=s", "name=x", "limit=1&name=default", "page_reverse=True", "page_reverse=True&limit=1"),
    *("fields=name", "fields=name&fields=id", "limit=1&sort_key=name&fields=name"),
    *(
        f"limit={limit}&marker={name}{back}"
        for name in ("NETWORK", "PORT", "GROUP", "RULE", "VOLUME", "SERVER", "FLAVOR")
        for back in ("", "&page_reverse=True")
        for limit in (1, 5)
    ),
)


@pytest.mark.parametrize("service", LISTS)
def test_pages_are_as_recorded(open_to_all, request, service):
    found = {}
    for path in LISTS[service]:
        for query in PAGES:
            asked = f"{path}?{query}"
            found[asked] = open_to_all.ask(service, "GET", asked)[1]
    recorded.check(request, RECORD, f"pages of {service}", found)


@pytest.mark.parametrize("service", REFUSED)
def test_refusals_are_as_recorded(open_to_all, of_projects, request, service):
    cloud = of_projects if service == "identity" else open_to_all
    cloud.restore()
    cloud.log_in("admin", "admin")
    found = {}
    for version, first, asked in REFUSED[service]:
        for name, *made in first:
            cloud.add(name, *made)
        status, text = cloud.ask(service, *asked, *(None,) * (3 - len(asked)), version)
        changed = asked[0] != "GET" and status < 300
        found[f"{version} {[made[0] for made in first]} {asked}"] = str(status) if changed else text
        if first or changed:
            cloud.restore()
    recorded.check(request, RECORD, f"refusals of {service}", found)


def test_servers_are_filtered_by_what_they_show(open_to_all):
    send, ident = open_to_all.cloud.send, open_to_all.ids["SERVER"]
    server = send("compute", "GET", f"/servers/{ident}", None, "2.105")[1]["server"]
    attributes = {
        name.rpartition(":")[2]: value for name, value in server.items() if isinstance(value, str)
    }
    node = attributes["hypervisor_hostname"]
    wanted = {
        "flavor": "flavor-public",
        "image": server["image"]["id"],
        "uuid": ident,
        "node": node,
    }
    for name in ("name", "status", "vm_state", "user_id", "reservation_id"):
        wanted[name] = attributes[name]
    for name, value in wanted.items():
        for given, found in ((value, [ident]), ("other", [])):
            answer = send("compute", "GET", f"/servers?{name}={given}", None, "2.105")
            assert [row["id"] for row in answer[1]["servers"]] == found, (name, given)


# What is written of each resource of the Networking API, beside what it shows.
WRITTEN = {
    "networks": {"provider:network_type": "vlan", "router:external": True, "shared": True},
    "subnets": {"segment_id": "x"},
    "ports": {"binding:profile": {"a": "b"}, "fixed_ips": [{"subnet_id": "SUBNET"}]},
    "security-groups": {},
    "trunks": {},
}


@pytest.mark.parametrize("kind", WRITTEN)
def test_attributes_are_written_by_whom_recorded(of_projects, request, kind):
    one = kind.rstrip("s").replace("-", "_")
    ident = {"subnets": "SUBNET", "security-groups": "GROUP"}.get(kind, one.upper())
    base = {"subnets": {"network_id": "NETWORK"}, "ports": {"network_id": "NETWORK"}}.get(kind, {})
    of_projects.restore()
    if kind == "trunks":
        of_projects.log_in("project-member", "demo")
        of_projects.add("TRUNK", "network", "/trunks", {"trunk": {"port_id": "PORT"}}, "trunk")
    of_projects.log_in("admin", "admin")
    of_projects.ask("network", "PUT", "/networks/NETWORK", {"network": {"shared": True}})
    of_projects.cloud.app.control.snapshots.take("writing")
    _, text = of_projects.ask("network", "GET", f"/{kind}/{ident}")
    shown = {
        name: value or (not value if isinstance(value, bool) else "x")
        for name, value in json.loads(text.partition(" ")[2])[one].items()
    }
    shown |= WRITTEN[kind]
    found = {}
    for name, project in ACCOUNTS:
        of_projects.log_in(name, project)
        for attribute, value in shown.items():
            for method, path, others in (
                ("PUT", f"/{kind}/{ident}", {}),
                ("POST", f"/{kind}", base),
            ):
                body = {one: {**others, attribute: value}}
                status, text = of_projects.ask("network", method, path, body)
                answer = str(status) if status < 300 else text
                found[f"{name}: {method} {attribute}"] = answer
                if status < 300:
                    of_projects.cloud.app.control.snapshots.restore("writing")
                    of_projects.log_in(name, project)
    of_projects.restore()
    recorded.check(request, RECORD, f"attributes of {kind}", found)
