"""What belongs to another project can't be named in a request, though one's own is in it, too."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from fake_server.tests import asked
from fake_server.tests.filled_cloud import Filled

RECORD = Path(__file__).with_name("references.txt")
#: Who has what: the account and its project, then a name, a service, a path and a body.
THINGS = yaml.safe_load("""
admin admin:
- [HIDDEN, volume, /types, {volume_type: {name: h, 'os-volume-type-access:is_public': false}}]
- [EXTERNAL, network, /networks, {network: {name: e, 'router:external': true}}]
- [QOS, network, /qos/policies, {policy: {name: q, project_id: DEMO}}]
project-member demo:
- [AFFINE, compute, /os-server-groups, {server_group: {name: g, policy: affinity}}]
- [SNAPSHOT, volume, /snapshots, {snapshot: {volume_id: SPARE}}]
- [BACKUP, volume, /backups, {backup: {volume_id: SPARE}}]
- [POOL, network, /subnetpools, {subnetpool: {name: p, prefixes: [10.8.0.0/16]}}]
- [SCOPE, network, /address-scopes, {address_scope: {name: s, ip_version: 4}}]
- [ADDRESSES, network, /address-groups, {address_group: {name: a}}]
- [SECRET, image, /images,
   {name: i, disk_format: raw, container_format: bare, visibility: private}]
other-member other:
- [MYNETWORK, network, /networks, {network: {name: o}}]
- [MYPORT, network, /ports, {port: {network_id: MYNETWORK}}]
- [MYSECOND, network, /ports, {port: {network_id: MYNETWORK}}]
- [MYTRUNK, network, /trunks, {trunk: {port_id: MYSECOND}}]
- [MYGROUP, network, /security-groups, {security_group: {name: o}}]
- [MYROUTER, network, /routers, {router: {name: o}}]
- [MYVOLUME, volume, /volumes, {volume: {size: 1}}]
- [MYSERVER, compute, /servers,
   {server: {name: s, flavorRef: FLAVOR, imageRef: IMAGE, networks: none}}]
""")


@pytest.fixture(scope="module")
def filled():
    filled = Filled("keystone")
    filled.ids["DEMO"] = filled.cloud.log_in("project-member", "demo")["project"]["id"]
    for who, things in THINGS.items():
        filled.log_in(*who.split())
        for name, service, path, body in things:
            keys = body if len(body) == 1 else ()
            filled.add(name, service, path, body, *keys)
    # Names are replaced by ids in any order: none may begin with another one.
    filled.ids = dict(sorted(filled.ids.items(), key=lambda pair: -len(pair[0])))
    filled.cloud.get("compute", "/servers/detail")
    filled.cloud.app.control.snapshots.take("filled")
    return filled


@pytest.mark.parametrize("row", asked.alike(RECORD), ids=lambda row: row.place)
def test_what_another_project_has_is_not_found(filled, row):
    service, method, path, body = row.request.split(" ", 3)
    status, answer = filled.ask(service, method, path, yaml.safe_load(body))
    kind = answer.get("NeutronError", {}).get("type", "")
    if status < 300:
        filled.restore()
        filled.log_in("other-member", "other")
    asked.compare(row, f"{status} {kind}".strip())
