"""What the services answer when any part of a body has another kind of value."""

from __future__ import annotations

import json
import re
from collections import defaultdict

import pytest
import yaml

from fake_server.tests.filled_cloud import Filled, said

#: Values and what they are called.
VALUES = {
    **{"null": None, '""': "", "odd": "odd", "-7": -70707, "9e11": 987654321012},
    **{"[]": ["odd"], "{}": {"odd": 1}},
}
#: Bodies with all that a request may have: service, method, path, body.
BODIES = """
volume POST /volumes {volume: {size: 1, name: v, description: d, metadata: {a: b}, \
 volume_type: fast, imageRef: IMAGE, source_volid: null, snapshot_id: null, \
 availability_zone: nova}}
volume PUT /volumes/VOLUME {volume: {name: v, description: d, metadata: {a: b}}}
volume POST /volumes/SPARE/action {os-attach: {instance_uuid: x, mountpoint: /x, mode: rw, \
 host_name: null}}
volume POST /volumes/SPARE/action {os-extend: {new_size: 5}}
volume POST /volumes/SPARE/action {os-set_bootable: {bootable: true}}
volume POST /volumes/SPARE/action {os-update_readonly_flag: {readonly: true}}
volume POST /volumes/SPARE/action {os-reset_status: {status: error, attach_status: detached}}
volume POST /volumes/SPARE/action {os-initialize_connection: {connector: {initiator: iqn.x, \
 host: h, ip: 192.0.2.1, mode: rw, multipath: false, wwpns: [p]}}}
volume POST /volumes/VOLUME/action {os-terminate_connection: {connector: {}}}
volume POST /attachments {attachment: {volume_uuid: SPARE, instance_uuid: x, mode: rw, \
 connector: {initiator: iqn.x, mode: rw}}}
volume POST /volumes/SPARE/metadata {metadata: {a: b}}
volume POST /types {volume_type: {name: t, description: d, extra_specs: {a: b}, \
 "os-volume-type-access:is_public": true}}
volume POST /types/TYPE/extra_specs {extra_specs: {a: b}}
compute POST /servers {server: {name: s, flavorRef: FLAVOR, imageRef: IMAGE, min_count: 1, \
 max_count: 1, metadata: {a: b}, tags: [t], user_data: YQ==, key_name: k, hostname: h, \
 description: d, availability_zone: nova, security_groups: [{name: default}], \
 config_drive: true, adminPass: p, accessIPv4: 192.0.2.1, "OS-DCF:diskConfig": AUTO, \
 trusted_image_certificates: [a], networks: [{uuid: NETWORK, fixed_ip: 10.2.0.9, tag: t}]}}
compute POST /servers {server: {name: s, flavorRef: FLAVOR, imageRef: IMAGE, networks: none, \
 block_device_mapping_v2: [{uuid: SPARE, source_type: volume, destination_type: volume, \
 boot_index: 1, delete_on_termination: true, tag: t, attach_mode: ro, device_name: /dev/sdx, \
 volume_size: 1, volume_type: null, disk_bus: scsi, device_type: disk}]}}
compute PUT /servers/SERVER {server: {name: s, description: d, hostname: h, \
 accessIPv4: 192.0.2.1, "OS-DCF:diskConfig": AUTO, pinned_availability_zone: nova}}
compute POST /servers/SERVER/action {rebuild: {imageRef: IMAGE, name: s, metadata: {a: b}, \
 user_data: YQ==, key_name: k, description: d, hostname: h, preserve_ephemeral: true, \
 adminPass: p, trusted_image_certificates: [a]}}
compute POST /servers/SERVER/action {reboot: {type: HARD}}
compute POST /servers/SERVER/action {os-stop: null}
compute POST /servers/SERVER/metadata {metadata: {a: b}}
compute POST /servers/SERVER/os-volume_attachments {volumeAttachment: {volumeId: SPARE, \
 device: /dev/sdx, tag: t, delete_on_termination: true, attach_mode: ro}}
compute PUT /servers/SERVER/os-volume_attachments/VOLUME {volumeAttachment: {volumeId: VOLUME, \
 delete_on_termination: true}}
compute POST /servers/SERVER/os-interface {interfaceAttachment: {net_id: NETWORK, tag: t, \
 fixed_ips: [{ip_address: 10.2.0.9}]}}
compute POST /flavors {flavor: {name: f, ram: 1, vcpus: 1, disk: 1, id: x, swap: 1, \
 description: d, "OS-FLV-EXT-DATA:ephemeral": 1, \
 "os-flavor-access:is_public": true}}
compute PUT /flavors/FLAVOR {flavor: {description: d}}
compute POST /flavors/FLAVOR/os-extra_specs {extra_specs: {a: b}}
compute POST /flavors/PRIVATE/action {addTenantAccess: {tenant: x}}
compute POST /os-keypairs {keypair: {name: l, public_key: ssh-rsa AAAA x, type: ssh, user_id: u}}
placement POST /resource_providers {name: q, uuid: NEW, parent_provider_uuid: PROVIDER}
placement PUT /resource_providers/PROVIDER {name: q, parent_provider_uuid: null}
placement PUT /resource_providers/PROVIDER/inventories {resource_provider_generation: 4, \
 inventories: {VCPU: {total: 4, reserved: 0, min_unit: 1, max_unit: 4, step_size: 1, \
 allocation_ratio: 1.0}, MEMORY_MB: {total: 4096}}}
placement PUT /resource_providers/PROVIDER/inventories/VCPU {resource_provider_generation: 4, \
 total: 4, reserved: 0}
placement PUT /resource_providers/PROVIDER/traits {resource_provider_generation: 4, \
 traits: [HW_CPU_X86_AVX]}
placement PUT /resource_providers/PROVIDER/aggregates {resource_provider_generation: 4, \
 aggregates: [NEW]}
placement PUT /allocations/NEW {allocations: {PROVIDER: {resources: {VCPU: 1}}}, \
 project_id: p, user_id: u, consumer_generation: null, consumer_type: INSTANCE, \
 mappings: {"": [PROVIDER]}}
placement POST /allocations {NEW: {allocations: {PROVIDER: {resources: {VCPU: 1}}}, \
 project_id: p, user_id: u, consumer_generation: null, consumer_type: INSTANCE}}
image POST /images {name: i, id: NEW, visibility: public, min_disk: 1, min_ram: 1, \
 disk_format: qcow2, container_format: bare, tags: [t], protected: false, os_distro: d}
identity POST /users/MYSELF/application_credentials {application_credential: {name: d, \
 description: d, secret: s, unrestricted: false, roles: [{name: admin}], \
 expires_at: "2031-01-01T00:00:00.000000"}}
"""
INVALID = "Invalid input for field/attribute FIELD."
# Where an error quotes nothing.
_SHORT = r"''|\"\"|(?<=Value: )(?=\.)"
SERVICES = ("volume", "compute", "placement", "image", "identity")


def requests(service):
    for line in BODIES.strip().replace("\\\n", "").splitlines():
        asked, method, path, body = line.split(" ", 3)
        if asked == service:
            yield method, path, yaml.safe_load(body)


def places(value, at=()):
    """Yield the ways to all that is within a value."""
    yield at
    inside = value.items() if isinstance(value, dict) else ()
    inside = enumerate(value) if isinstance(value, list) else inside
    for key, part in inside:
        yield from places(part, (*at, key))


def replaced(value, place, other):
    """Return a value with another one in a place within it."""
    if not place:
        return other
    changed = dict(value) if isinstance(value, dict) else list(value)
    changed[place[0]] = replaced(value[place[0]], place[1:], other)
    return changed


def without(value, place):
    """Return a value without a member."""
    changed = dict(value)
    if len(place) > 1:
        changed[place[0]] = without(value[place[0]], place[1:])
    else:
        del changed[place[0]]
    return changed


def variants(body):
    """Yield bodies with one change each: where, what it is called, what it is, and the body."""
    for place in places(body):
        for name, value in VALUES.items():
            yield place, f": {name}", value, replaced(body, place, value)
        if place and all(isinstance(key, str) for key in place):
            yield (*place, "gone"), "", None, without(body, place)
    for place in places(body):
        found = body
        for key in place:
            found = found[key]
        if isinstance(found, dict):
            yield (*place, "moon"), "", 1, replaced(body, place, {**found, "moon": 1})


def outcome(status, answer, place, value):
    """Return what became of a value: whether it was taken, as another one, or why not."""
    if status >= 400:
        text = said(answer).partition("Failed validating")[0].strip()
        for one in (json.dumps(value), repr(value), str(value)):
            if len(one) > 2:
                text = re.sub(rf"(?<!\w){re.escape(one)}(?!\w)", "VALUE", text)
        text = text.replace("'VALUE'", "VALUE")
        if not value:
            text = re.sub(_SHORT, "VALUE", text)
        for key in place:
            if isinstance(key, str) and key:
                text = re.sub(rf"(?<!\w){re.escape(key)}(?!\w)", "FIELD", text)
        text = re.sub(r"Value: \{.*\}\.", "Value: OBJECT.", text)
        text = text.replace(f"{INVALID} Value: VALUE. VALUE", "it").replace(INVALID, "it:")
        return f"{status} {text[:90]}"
    shown = answer
    for key in place:
        try:
            shown = shown[key]
        except (KeyError, IndexError, TypeError):
            return f"{status} not shown"
    if isinstance(shown, str) and shown == str(value) != value:
        return f"{status} as text"
    return f"{status} as it is" if shown == value else f"{status} as {json.dumps(shown)[:60]}"


@pytest.mark.parametrize("service", SERVICES)
def test_values_are_answered_as_recorded(recorded, service):
    cloud = Filled("keystone" if service == "identity" else "none")
    cloud.log_in("admin", "admin")
    found = {}
    for method, path, body in requests(service):
        root = next(iter(body)) if len(body) == 1 else "the body"
        outcomes = defaultdict(lambda: defaultdict(list))
        for place, called, value, changed in variants(body):
            status, answer = cloud.ask(service, method, path, changed)
            name = ".".join(map(str, place)).removeprefix(f"{root}.") or "the body"
            # Most members may be left out, and all do the same then.
            if status >= 400 or place[-1:] != ("gone",):
                outcomes[name][outcome(status, answer, place, value)].append(called)
            if status < 300:
                cloud.restore()
                cloud.log_in("admin", "admin")
        alike = defaultdict(list)
        for name, by_outcome in outcomes.items():
            lines = (
                f"{text}{values[0]} {' '.join(one[2:] for one in values[1:])}".rstrip()
                for text, values in by_outcome.items()
            )
            alike[tuple(lines)].append(name)
        for lines, names in alike.items():
            found[f"{method} {path} {', '.join(names)}"] = list(lines)
    recorded(found)
