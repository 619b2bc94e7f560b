"""What the services answer to requests, most of which they refuse, and to several in a row."""

from __future__ import annotations

import json
import re

import pytest
import yaml

from fake_server.tests.filled_cloud import Filled, said

ABSENT = "00000000-0000-4000-8000-00000000dead"
#: The beginnings of bodies, by what stands for them; what a line adds goes into the inner object.
SHORT = {
    "boot": "POST /servers {server: {name: t, flavorRef: FLAVOR, imageRef: IMAGE, networks: none, ",
    "disk": (
        "POST /servers {server: {name: t, flavorRef: FLAVOR, imageRef: IMAGE, networks: none, "
        "block_device_mapping_v2: [{boot_index: 1, source_type: volume, "
    ),
    "claim": (
        "PUT /allocations/NEW {consumer_type: INSTANCE, project_id: p, user_id: u, "
        "consumer_generation: null, "
    ),
    "login": "POST /auth/tokens {auth: {identity: {methods: [password], ",
    "scope": (
        "POST /auth/tokens {auth: {identity: {methods: [password], password: {user: {name: admin, "
        "domain: {id: default}, password: secret}}}, scope: "
    ),
    "act": "POST /volumes/SPARE/action {",
    "attach": "POST /attachments {attachment: {volume_uuid: SPARE, instance_uuid: x, ",
    "stock": (
        "PUT /resource_providers/PROVIDER/inventories {resource_provider_generation: 4, "
        "inventories: {MEMORY_MB: {total: 4096}, "
    ),
}
#: Each line is a request of its own, or follows those before it in a paragraph with a title.
#: ``NAME = `` calls what it makes by a name, ``@VERSION`` asks in a version or in several.
REQUESTS = {
    "volume": """
GET /volumes/x
GET /attachments/x
GET /types/x
GET /types/TYPE/extra_specs/x
GET /moon
GET /volumes
GET /volumes?all_tenants=1&sort=moon
GET /volumes?limit=x
GET /volumes?limit=0
GET /volumes?limit=-1
GET /volumes?marker=x
GET /volumes?limit=1
GET /volumes?limit=1&marker=SPARE
GET /volumes?sort_key=name&sort_dir=asc
GET /volumes?sort_key=name&sort_dir=up
GET /volumes?name=v
GET /volumes?status=in-use
GET /attachments?limit=1
GET /types/default
GET /limits
POST /volumes {volume: {size: 1, volume_type: moon}}
POST /volumes {volume: {size: 1, source_volid: ABSENT}}
POST /volumes {volume: {size: 2147483648}}
POST /volumes {volume: {size: 1, name: LONG}}
POST /volumes @3.49,3.50 {volume: {size: 1, multiattach: true}}
DELETE /volumes/VOLUME
act os-attach: {instance_uuid: ABSENT, mode: x, mountpoint: /dev/sda}
act os-detach: {}
act os-begin_detaching: {}
act os-unreserve: {}
act os-roll_detaching: {}
act os-reserve: {}, os-unreserve: {}
act os-extend: {new_size: 1}
act os-initialize_connection: {}
act os-attach: {}
act
act os-bogus: {}
POST /volumes/VOLUME/action {os-reserve: {}}
POST /volumes/VOLUME/action {os-attach: {instance_uuid: ABSENT, mountpoint: /dev/sda}}
POST /volumes/VOLUME/action @3.41,3.42 {os-extend: {new_size: 2}}
POST /attachments {attachment: {volume_uuid: VOLUME}}
attach connector: {ip: 192.0.2.1}
attach connector: {wwpns: [a], wwnns: [b]}
attach @3.26,3.27,3.53,3.54 mode: ro
PUT /attachments/x {attachment: {connector: {}}}
POST /attachments/x/action {os-complete: {}}
POST /types {volume_type: {name: fast}}
POST /types {volume_type: {name: ''}}
POST /types {volume_type: {name: LONG}}
PUT /types/TYPE/extra_specs/x {y: z}
DELETE /types/TYPE/extra_specs/x
GET /volumes @3.72,2.0,banana,latest

# an attachment
HELD = POST /attachments {attachment: {volume_uuid: SPARE, instance_uuid: ABSENT}}
PUT /attachments/HELD {}
PUT /attachments/HELD {attachment: {connector: {}}}
POST /attachments/HELD/action {os-moon: {}}
POST /attachments/HELD/action @3.43 {os-complete: {}}
POST /attachments/HELD/action {os-complete: {}}
act os-extend: {new_size: 5}

# a volume attached twice
MULTI = POST /volumes {volume: {size: 1, volume_type: multiattach, name: m}}
ONE = POST /attachments {attachment: {volume_uuid: MULTI, instance_uuid: x}}
POST /attachments {attachment: {volume_uuid: MULTI, instance_uuid: x}}
POST /volumes/MULTI/action {os-detach: {}}
POST /volumes/MULTI/action {os-detach: {attachment_id: ABSENT}}
POST /volumes/MULTI/action {os-detach: {attachment_id: ONE}}
POST /volumes/MULTI/action {os-detach: {}}
POST /volumes/MULTI/action {os-detach: {}}

# a volume to read
act os-update_readonly_flag: {readonly: true}
attach connector: {initiator: iqn.x}, mode: rw
attach connector: {initiator: iqn.x, mode: rw}
attach connector: {initiator: iqn.x}
GET /volumes/SPARE

# a type in use
FAST = POST /volumes {volume: {size: 1, volume_type: fast}}
DELETE /types/TYPE
DELETE /volumes/FAST
DELETE /types/TYPE
DELETE /types/TYPE

# a volume in error
act os-reset_status: {status: error}
act os-extend: {new_size: 3}
DELETE /volumes/SPARE
""",
    "compute": """
GET /servers/x
GET /servers/detail?moon=1
GET /servers?limit=x
GET /servers?limit=1
GET /servers?marker=x
GET /servers?sort_key=moon
GET /servers?status=moon
GET /servers?status=ACTIVE
GET /servers?name=(
GET /servers?changes-since=x
GET /servers?deleted=true
GET /servers?all_tenants=1&project_id=x
GET /servers @2.999,x,latest,2,3.1
GET /flavors/x
GET /flavors?limit=1
GET /flavors?minRam=x
GET /flavors?minRam=2
GET /flavors?minDisk=x
GET /flavors?sort_key=name&sort_dir=desc
GET /flavors?is_public=None
GET /flavors?marker=x
GET /flavors/FLAVOR/os-extra_specs/x
GET /flavors/FLAVOR/os-flavor-access
GET /os-keypairs/x
GET /os-keypairs @2.9,2.10,2.35 ?user_id=x&limit=1
GET /os-hypervisors/x
GET /os-services?binary=nova-compute
GET /os-services?host=x
GET /servers/SERVER/os-interface/x
GET /servers/SERVER/os-volume_attachments/x
GET /servers/SERVER/os-volume_attachments?limit=x
GET /servers/SERVER/os-volume_attachments?offset=-1
GET /servers/SERVER/os-volume_attachments @2.74,2.75 ?moon=1
GET /servers/SERVER/metadata/x
GET /moon
PATCH /servers
boot name: LONG
boot flavorRef: x
boot key_name: x
boot networks: [{uuid: ABSENT}]
boot networks: [{port: ABSENT}]
boot networks: [{}]
boot networks: [{port: PORT}], min_count: 2
boot min_count: 2, max_count: 1
boot imageRef: ''
boot metadata: {LONG: x}
boot user_data: '?'
boot user_data: YQ
boot hostname: a.b
boot hostname: -a
boot tags: [a/b]
boot tags: ["a,b"]
boot key_name: LONG
boot accessIPv6: 192.0.2.1
boot block_device_mapping: [{device_name: vda}]
boot block_device_mapping: [{volume_id: SPARE}], block_device_mapping_v2: [{uuid: SPARE}]
disk boot_index: 0
disk boot_index: 0, source_type: null
disk source_type: blank, uuid: SPARE
disk source_type: blank, destination_type: volume
disk source_type: image, uuid: IMAGE
disk source_type: image, uuid: IMAGE, boot_index: 0, destination_type: volume
disk source_type: snapshot, uuid: SPARE
disk uuid: SPARE, destination_type: local
disk uuid: SPARE, boot_index: 3
disk uuid: SPARE, boot_index: -2
disk uuid: SPARE, boot_index: x
disk uuid: SPARE, volume_type: fast
disk uuid: SPARE, device_name: vdb x
disk uuid: SPARE, tag: "a,b"
disk source_type: blank, destination_type: local, volume_type: fast
disk source_type: blank, destination_type: local, attach_mode: ro
disk uuid: SPARE}, {boot_index: 2, uuid: SPARE, source_type: volume
disk uuid: ABSENT
disk uuid: VOLUME
PUT /servers/SERVER {server: {}}
PUT /servers/SERVER {server: {hostname: a.b}}
PUT /servers/SERVER @2.103,2.104 {server: {pinned_availability_zone: moon}}
POST /servers/SERVER/action {}
POST /servers/SERVER/action {os-stop: null, os-start: null}
POST /servers/SERVER/action {unrescue: null}
POST /servers/SERVER/action {os-start: null}
POST /servers/SERVER/action {rebuild: {imageRef: IMAGE, hostname: a.b}}
POST /servers/SERVER/action {rebuild: {imageRef: IMAGE, key_name: LONG}}
POST /servers/SERVER/action @2.56,2.57 {rebuild: {imageRef: IMAGE, personality: []}}
POST /servers/SERVER/os-interface {interfaceAttachment: {net_id: NETWORK, port_id: PORT}}
POST /servers/SERVER/os-interface {interfaceAttachment: {fixed_ips: [{ip_address: 10.2.0.9}]}}
POST /servers/SERVER/os-interface {interfaceAttachment: {port_id: ABSENT}}
POST /servers/SERVER/os-interface {interfaceAttachment: {net_id: ABSENT}}
DELETE /servers/SERVER/os-interface/x
POST /servers/SERVER/os-volume_attachments {volumeAttachment: {volumeId: VOLUME}}
POST /servers/SERVER/os-volume_attachments {volumeAttachment: {volumeId: ABSENT}}
PUT /servers/SERVER/os-volume_attachments/SPARE {volumeAttachment: {volumeId: VOLUME}}
PUT /servers/SERVER/os-volume_attachments/VOLUME {volumeAttachment: {volumeId: VOLUME, tag: t}}
DELETE /servers/SERVER/os-volume_attachments/SPARE
POST /servers/SERVER/metadata {metadata: {LONG: y}}
PUT /servers/SERVER/metadata/x {meta: {y: z}}
DELETE /servers/SERVER/metadata/x
POST /flavors {flavor: {disk: 1, name: gold, ram: 1, vcpus: 1}}
POST /flavors {flavor: {disk: 1, id: flavor-public, name: f, ram: 1, vcpus: 1}}
POST /flavors {flavor: {disk: 1, id: 'x?', name: f, ram: 1, vcpus: 1}}
POST /flavors/FLAVOR/action {addTenantAccess: {tenant: x}}
POST /flavors/PRIVATE/action {removeTenantAccess: {tenant: x}}
POST /flavors/FLAVOR/os-extra_specs {extra_specs: {'trait:CUSTOM_A': moon}}
POST /flavors/FLAVOR/os-extra_specs {extra_specs: {'resources:CUSTOM_A': x}}
POST /flavors/FLAVOR/os-extra_specs {extra_specs: {'a b?': c}}
PUT /flavors/FLAVOR/os-extra_specs/a {b: c}
DELETE /flavors/FLAVOR/os-extra_specs/a
POST /os-keypairs {keypair: {name: k, public_key: ssh-rsa AAAA x}}
POST /os-keypairs @2.91,2.92 {keypair: {name: a@b, public_key: ssh-rsa AAAA x, type: ssh}}
POST /os-keypairs @2.91,2.92 {keypair: {name: "a b-9_", public_key: ssh-rsa AAAA x, type: ssh}}
POST /os-keypairs @2.92 {keypair: {name: a/b, public_key: ssh-rsa AAAA x, type: ssh}}
POST /os-keypairs @2.91,2.92 {keypair: {name: LONG, public_key: ssh-rsa AAAA x, type: ssh}}
POST /os-keypairs @2.91,2.92 {keypair: {name: l, type: x509}}

# access to a flavor
POST /flavors/PRIVATE/action {addTenantAccess: {tenant: a}}
POST /flavors/PRIVATE/action {addTenantAccess: {tenant: a}}
GET /flavors/PRIVATE/os-flavor-access
POST /flavors/PRIVATE/action {removeTenantAccess: {tenant: a}}

# a stopped server
POST /servers/SERVER/action {os-stop: null}
GET /servers/SERVER
POST /servers/SERVER/action {os-stop: null}
POST /servers/SERVER/action {reboot: {type: SOFT}}
POST /servers/SERVER/action {reboot: {type: HARD}}
GET /servers/SERVER
""",
    "placement": """
GET /resource_providers/x
GET /resource_providers/ABSENT/inventories
GET /resource_providers/ABSENT/usages
GET /resource_providers/ABSENT/allocations
GET /resource_providers/ABSENT/traits
GET /resource_providers/PROVIDER/inventories/DISK_GB
GET /resource_providers/PROVIDER/inventories/moon
GET /resource_providers/PROVIDER/usages
GET /traits/CUSTOM_X
GET /traits?name=x
GET /traits?name=in:HW_CPU_X86_AVX,X
GET /traits?name=startswith:HW_CPU_X86_AVX5
GET /traits?associated=x
GET /traits?associated=TRUE
GET /resource_classes/CUSTOM_X
GET /resource_providers?moon=1
GET /resource_providers?name=p
GET /resource_providers?resources=x
GET /resource_providers?resources=VCPU:0
GET /resource_providers?resources=VCPU:x
GET /resource_providers?resources=MOON:1
GET /resource_providers?resources=VCPU:6
GET /resource_providers?resources=VCPU:7
GET /resource_providers?required=MOON
GET /resource_providers?required=
GET /resource_providers?required=HW_CPU_X86_AVX,!HW_CPU_X86_AVX
GET /resource_providers?required=!HW_CPU_X86_AVX
GET /resource_providers?uuid=x
GET /resource_providers?member_of=x
GET /resource_providers?member_of=in:
GET /resource_providers?in_tree=x
GET /resource_providers @1.2,1.3,1.23,1.24,1.32 ?member_of=in:AGGREGATE,ABSENT
GET /resource_providers @1.3,1.24,1.31,1.32 ?member_of=!AGGREGATE
GET /resource_providers @1.3,1.24 ?member_of=AGGREGATE,ABSENT
GET /resource_providers @1.3,1.24 ?member_of=in:ABSENT&member_of=ABSENT
GET /resource_providers @1.17,1.18,1.21,1.22,1.38,1.39 ?required=in:HW_CPU_X86_AVX
GET /resource_providers @1.21,1.22 ?required=!HW_CPU_X86_AVX
GET /allocation_candidates
GET /allocation_candidates?resources=
GET /allocation_candidates @1.9,1.10,1.12,1.17,1.27,1.29,1.34,1.39 ?resources=VCPU:1
GET /allocation_candidates @1.15,1.16 ?resources=VCPU:1&limit=1
GET /allocation_candidates @1.16,1.17,1.21,1.22 ?resources=VCPU:1&required=!HW_CPU_X86_AVX
GET /allocation_candidates @1.30,1.31 ?resources=VCPU:1&in_tree=PROVIDER
GET /allocation_candidates @1.34,1.35 ?resources=VCPU:1&root_required=!HW_CPU_X86_AVX
GET /allocation_candidates @1.35,1.36 ?resources=VCPU:1&same_subtree=_x
GET /allocation_candidates @1.24,1.25 ?resources1=VCPU:1&resources2=VCPU:1
GET /allocation_candidates?resources1=VCPU:1&resources2=VCPU:1&group_policy=moon
GET /allocation_candidates?resources1=VCPU:1&required2=HW_CPU_X86_AVX&group_policy=none
GET /allocation_candidates?resources=VCPU:1&in_tree1=ABSENT
GET /allocation_candidates?resources=VCPU:1&limit=0
GET /allocation_candidates?resources=VCPU:1&required=HW_CPU_X86_AVX,!HW_CPU_X86_AVX
GET /allocation_candidates?resources=VCPU:1&required=in:
GET /allocation_candidates?resources=VCPU:1&required=in:!A
GET /allocation_candidates?resources=VCPU:1&member_of=AGGREGATE,ABSENT
GET /allocation_candidates?resources=VCPU:1&root_required=MOON
GET /usages
GET /usages?project_id=p&user_id=u
GET /usages @1.8,1.9,1.37,1.38 ?project_id=p
GET /usages?project_id=p&consumer_type=all
GET /moon
PATCH /resource_providers
GET /resource_providers @1.99,1.x,latest
GET /traits @1.5,1.6
DELETE /resource_providers/PROVIDER/inventories @1.4,1.5
POST /resource_providers {name: p}
POST /resource_providers {name: LONG}
POST /resource_providers {name: q, uuid: PROVIDER}
POST /resource_providers {name: q, parent_provider_uuid: ABSENT}
PUT /resource_providers/PROVIDER {name: p, parent_provider_uuid: ABSENT}
PUT /resource_providers/PROVIDER {name: p, parent_provider_uuid: PROVIDER}
DELETE /resource_providers/PROVIDER
DELETE /resource_providers/ABSENT
PUT /resource_providers/PROVIDER/inventories {resource_provider_generation: 9, inventories: {}}
stock CUSTOM_X: {total: 1}
stock VCPU: {total: 4, reserved: 5}
stock @1.25,1.26 VCPU: {total: 4, reserved: 4}
stock VCPU: {total: 4, allocation_ratio: 1.0e39}
stock VCPU: {total: 4, allocation_ratio: -1.0e39}
stock DISK_GB: {total: 1}
PUT /resource_providers/PROVIDER/inventories/DISK_GB {resource_provider_generation: 4, total: 8}
PUT /resource_providers/PROVIDER/inventories/CUSTOM_X {resource_provider_generation: 4, total: 8}
POST /resource_providers/PROVIDER/inventories {resource_class: VCPU, total: 1}
POST /resource_providers/PROVIDER/inventories {resource_class: CUSTOM_X, total: 1}
DELETE /resource_providers/PROVIDER/inventories/VCPU
DELETE /resource_providers/PROVIDER/inventories/DISK_GB
DELETE /resource_providers/PROVIDER/inventories/CUSTOM_X
DELETE /resource_providers/PROVIDER/inventories
PUT /resource_providers/PROVIDER/traits {resource_provider_generation: 9, traits: []}
PUT /resource_providers/PROVIDER/traits {resource_provider_generation: 4, traits: [CUSTOM_X]}
PUT /resource_providers/PROVIDER/aggregates {resource_provider_generation: 9, aggregates: []}
PUT /resource_providers/PROVIDER/aggregates @1.1,1.18,1.19 [AGGREGATE]
PUT /resource_providers/PROVIDER/aggregates @1.18 [x]
PUT /traits/x
PUT /traits/CUSTOM_
PUT /traits/CUSTOM_a
DELETE /traits/HW_CPU_X86_AVX
PUT /resource_classes/x
POST /resource_classes {name: VCPU}
DELETE /resource_classes/VCPU
DELETE /resource_classes/CUSTOM_X
PUT /allocations/x {}
claim allocations: {ABSENT: {resources: {VCPU: 1}}}
claim allocations: {PROVIDER: {resources: {MOON: 1}}}
claim allocations: {PROVIDER: {resources: {DISK_GB: 1}}}
claim allocations: {PROVIDER: {resources: {VCPU: 99}}}
claim allocations: {PROVIDER: {resources: {VCPU: 1}}}, consumer_generation: 9
claim @1.11,1.12,1.28,1.37,1.38 allocations: {PROVIDER: {resources: {VCPU: 1}}}
PUT /allocations/CONSUMER {allocations: {}, project_id: p, user_id: u, consumer_generation: 9}
PUT /allocations/NEW @1.0,1.7,1.8,1.11,1.12 {project_id: p, user_id: u, allocations: \
 [{resource_provider: {uuid: PROVIDER}, resources: {VCPU: 1}}]}
PUT /allocations/NEW @1.7,1.8 {allocations: [{resource_provider: {uuid: PROVIDER}, \
 resources: {VCPU: 1}}]}
PUT /allocations/NEW @1.12,1.27,1.28,1.34 {project_id: p, user_id: u, mappings: {}, \
 allocations: {PROVIDER: {resources: {VCPU: 1}}}}
DELETE /allocations/NEW
POST /reshaper {}

# a tree
PARENT = POST /resource_providers {name: parent}
CHILD = POST /resource_providers {name: child, parent_provider_uuid: PARENT}
DELETE /resource_providers/PARENT
GET /resource_providers?in_tree=CHILD
PUT /resource_providers/CHILD @1.36,1.37 {name: child, parent_provider_uuid: PROVIDER}
PUT /resource_providers/PROVIDER {name: p, parent_provider_uuid: CHILD}
DELETE /resource_providers/CHILD
DELETE /resource_providers/PARENT

# a class and a trait
PUT /resource_classes/CUSTOM_A
PUT /resource_classes/CUSTOM_A
POST /resource_classes {name: CUSTOM_A}
stock CUSTOM_A: {total: 1}, VCPU: {total: 8}
DELETE /resource_classes/CUSTOM_A
PUT /traits/CUSTOM_A
PUT /traits/CUSTOM_A
PUT /resource_providers/PROVIDER/traits {resource_provider_generation: 5, traits: [CUSTOM_A]}
DELETE /traits/CUSTOM_A
DELETE /resource_providers/PROVIDER/traits
DELETE /traits/CUSTOM_A
DELETE /traits/CUSTOM_A
""",
    "image": """
GET /images/x
GET /images?marker=x
GET /images?limit=x
GET /images?limit=0
GET /images?sort_key=moon
POST /images {id: x}
POST /images {container_format: moon}
POST /images {visibility: moon}
POST /images {status: active}
POST /images {owner: me}
POST /images {min_disk: -1}
PUT /images
PUT /images/IMAGE/file {}
DELETE /images/x
GET /moon

# an image
PICTURE = POST /images {name: i, id: IMAGE}
POST /images {name: j, id: IMAGE}
PUT /images/PICTURE/file {any: content}
PUT /images/PICTURE/file {any: content}
PATCH /images/PICTURE {}
PATCH /images/PICTURE [5]
PATCH /images/PICTURE [{op: x, path: /name}]
PATCH /images/PICTURE [{op: replace, path: /id, value: x}]
PATCH /images/PICTURE [{op: remove, path: /nothing}]
PATCH /images/PICTURE [{op: replace, path: /nothing, value: x}]
PATCH /images/PICTURE [{op: add, path: /nothing, value: x}]
PATCH /images/PICTURE [{op: add, path: /owner, value: x}]
PATCH /images/PICTURE [{op: replace, path: "", value: []}]
PATCH /images/PICTURE [{op: add, path: name, value: x}]
PATCH /images/PICTURE [{op: add, path: /a/b, value: x}]
PATCH /images/PICTURE [{op: replace, path: /name, value: 5}]
PATCH /images/PICTURE [{op: replace, path: /name, value: y}]
GET /images/PICTURE
DELETE /images/PICTURE
DELETE /images/PICTURE
""",
    "identity": """
login methods: [moon]
login methods: [password, totp]
login methods: [5]
login methods: [token]
login methods: [token], token: {id: x}
login methods: [token], token: {id: 5}
login methods: [application_credential]
login methods: [application_credential], application_credential: {id: x}
login methods: [application_credential], application_credential: {secret: y}
login methods: [application_credential], application_credential: {id: CREDENTIAL, secret: 5}
login methods: [application_credential], application_credential: {id: CREDENTIAL, secret: x}
login methods: [application_credential], application_credential: {name: c, secret: s3cret}
login methods: [application_credential], application_credential: {id: CREDENTIAL, secret: s3cret}
login methods: [application_credential], application_credential: {name: c, secret: s3cret, \
 user: {id: MEMBER}}
login methods: [application_credential], application_credential: {name: d, secret: s3cret, \
 user: {id: MEMBER}}
login password: {user: {name: admin, domain: {id: default}, password: wrong}}
login password: {user: {name: nobody, domain: {id: default}, password: secret}}
login password: {user: {name: admin, domain: {id: moon}, password: secret}}
login password: {user: {name: admin, password: secret}}
scope x
scope {}
scope {project: 5}
scope {project: {}}
scope {project: {id: moon}}
scope {project: {name: moon, domain: {id: default}}}
scope {project: {name: demo}}
scope {domain: {id: moon}}
scope {domain: {id: default}}
scope {system: {}}
scope {system: {all: false}}
scope {system: {all: true}}
scope unscoped
POST /users/MYSELF/application_credentials {application_credential: []}
POST /users/MEMBER/application_credentials {application_credential: {name: d}}
GET /users/MEMBER/application_credentials/x
GET /users/x
GET /projects/x
GET /roles/x
GET /domains/x
GET /services/x
GET /endpoints/x
GET /regions/x
GET /auth/tokens
GET /auth/system
GET /auth/projects
GET /auth/domains
GET /users
GET /projects
GET /users?name=admin
GET /projects?name=x
GET /role_assignments?user.id=MEMBER
GET /role_assignments?scope.system=all
GET /role_assignments?scope.project.id=x
GET /moon
DELETE /users
""",
}
LINE = re.compile(
    r"(?:(?P<name>[A-Z]+) = )?(?P<method>[A-Z]+) (?P<path>\S+)(?: @(?P<versions>\S+))?"
    r"(?: (?P<query>\?\S+))?(?: (?P<body>.+))?"
)


def paragraphs(service):
    """Yield requests that follow one another, with their title."""
    for text in REQUESTS[service].replace("\\\n", "").strip().split("\n\n"):
        lines = text.splitlines()
        if lines[0].startswith("# "):
            yield lines[0][2:], lines[1:]
        else:
            yield from ((None, [line]) for line in lines)


def written_out(line):
    """Return a line without abbreviations."""
    word, _, rest = line.partition(" ")
    if word in SHORT:
        versions = re.match(r"@\S+ ", rest)
        begin = SHORT[word]
        if versions:
            rest = rest.removeprefix(versions[0])
            method, path, body = begin.split(" ", 2)
            begin = f"{method} {path} {versions[0]}{body}"
        text = begin + rest
        opened = re.sub(r"'[^']*'|\"[^\"]*\"", "", text)
        pairs = {"{": "}", "[": "]"}
        missing = []
        for sign in opened:
            if sign in pairs:
                missing.append(pairs[sign])
            elif sign in pairs.values():
                missing.pop()
        line = text + "".join(reversed(missing))
    return line.replace("LONG", "x" * 256).replace("ABSENT", ABSENT)


def shown(method, answer):
    """Return what matters of an answer to a request that succeeded."""
    if method != "GET" or not isinstance(answer, dict):
        return ""
    values = list(answer.values())
    if values and isinstance(values[0], list):
        rows = values[0]
        found = [row.get("name") or row.get("id") if isinstance(row, dict) else row for row in rows]
        if "generation" in str(rows):  # providers come in no order
            found.sort()
        others = sorted(name for name in answer if name.endswith("links"))
        return " ".join([json.dumps(found[:8]), *others])
    inner = values[0] if len(values) == 1 and isinstance(values[0], dict) else answer
    kept = {name: one for name, one in inner.items() if isinstance(one, str | int | None)}
    return json.dumps(dict(list(kept.items())[:6]))[:150]


def answers(cloud, service, line):
    """Send a request, in each of its versions; return what it is answered."""
    found = LINE.fullmatch(written_out(line))
    assert found, line
    body = yaml.safe_load(found["body"]) if found["body"] else None
    path = found["path"] + (found["query"] or "")
    told = {}
    for version in (found["versions"] or "").split(","):
        status, answer = cloud.ask(service, found["method"], path, body, version or None)
        text = said(answer) if status >= 400 else shown(found["method"], answer)
        text = f"{status} {text}".replace("x" * 256, "LONG")[:110].strip()
        told.setdefault(text, []).append(version)
        if found["name"] and status < 300:
            made = cloud.answer
            inner = next(iter(made.values())) if len(made) == 1 else made
            cloud.ids[found["name"]] = inner.get("id") or inner.get("uuid")
    return [f"{' '.join(versions)} {text}".strip() for text, versions in told.items()]


@pytest.mark.parametrize("service", REQUESTS)
def test_requests_are_answered_as_recorded(recorded, service):
    cloud = Filled("keystone" if service == "identity" else "none")
    known, found = dict(cloud.ids), {}
    for title, lines in paragraphs(service):
        cloud.log_in("admin", "admin")
        for number, line in enumerate(lines, 1):
            key = f"{title} {number}: {line}" if title else line
            found[key] = answers(cloud, service, line)
        if any(not line.startswith("GET ") for line in lines):
            cloud.restore()
            cloud.ids = dict(known)
    recorded(found)
