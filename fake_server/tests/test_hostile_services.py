"""Whatever services with Keystone are asked, there is an answer: images, trusts, objects, networks.

How many requests are tried, and with which random numbers, is as in :mod:`.test_hostile_requests`.
"""

from __future__ import annotations

import json
import logging
import os
import random

import pytest
import yaml

from fake_server.control import services
from fake_server.middleware.chain import answer_errors
from fake_server.tests.filled_cloud import Filled
from fake_server.tests.test_broken_bodies import HEADERS, PREFIXES
from fake_server.tests.test_hostile_requests import ODD, QUERIES, WORDS
from fake_server.tests.test_recorded_bodies import places, replaced
from fake_server.tests.wsgi import request

#: Valid requests: a body, and before it the name by which the others call what it makes.
TEMPLATES = yaml.safe_load("""
POST /image/v2/images = PICTURE: {name: i, disk_format: raw, container_format: bare, min_disk: 0,
  min_ram: 0, tags: [a], visibility: shared, protected: false, os_hidden: false, x: y}
PATCH /image/v2/images/PICTURE: [{op: replace, path: /name, value: m}, {op: add, path: /x1,
  value: y}]
POST /image/v2/images/PICTURE/import: {method: {name: web-download, uri: "http://127.0.0.1:1/x"},
  stores: [fast], all_stores: false, all_stores_must_succeed: true}
POST /image/v2/images/PICTURE/members = SHARED: {member: PROJECT}
PUT /image/v2/images/PICTURE/members/PROJECT: {status: accepted}
PUT /image/v2/images/PICTURE/tags/t: {}
PUT /image/v2/images/PICTURE/file: raw
PUT /image/v2/images/PICTURE/stage: raw
POST /image/v2/metadefs/namespaces = SPACE: {namespace: SPACE, display_name: n, visibility: private,
  protected: false, description: d}
POST /image/v2/metadefs/namespaces: {namespace: other, tags: [{name: t}], objects: [{name: o,
  description: d, required: [a], properties: {a: {type: string, title: t}}}],
  properties: {p: {type: string, title: t}}, resource_type_associations: [{name: r, prefix: p}]}
POST /image/v2/metadefs/namespaces/SPACE/properties: {name: p, type: string, title: t,
  enum: [a], minLength: 1}
POST /image/v2/metadefs/namespaces/SPACE/objects: {name: o, required: [], properties: {a: {
  type: integer, title: t}}}
POST /image/v2/metadefs/namespaces/SPACE/tags: {tags: [{name: t}]}
POST /image/v2/metadefs/namespaces/SPACE/resource_types: {name: r, prefix: p, properties_target: t}
POST /identity/v3/auth/tokens: {auth: {identity: {methods: [password], password: {user: {
  name: admin,
  domain: {id: default}, password: secret}}}, scope: {project: {name: admin,
  domain: {id: default}}}}}
POST /identity/v3/auth/tokens trust: {auth: {identity: {methods: [token], token: {id: TOKEN}},
  scope: {"OS-TRUST:trust": {id: TRUST}}}}
POST /identity/v3/OS-TRUST/trusts = TRUST: {trust: {trustor_user_id: MYSELF, trustee_user_id: OTHER,
  project_id: PROJECT, impersonation: true, roles: [{name: reader}], remaining_uses: null,
  expires_at: "2040-01-01T00:00:00.000000Z", allow_redelegation: true, redelegation_count: 2,
  deleted_at: null}}
POST /identity/v3/users/MYSELF/application_credentials: {application_credential: {name: a,
  secret: s,
  description: d, expires_at: "2040-01-01T00:00:00Z", roles: [{name: reader}], unrestricted: false,
  access_rules: [{path: /v1, method: GET, service: baremetal}]}}
POST /identity/v3/credentials: {credential: {type: ec2, blob: '{"access": "a", "secret": "s"}',
  user_id: MYSELF, project_id: PROJECT}}
POST /identity/v3/projects = OWN: {project: {name: p, domain_id: default, parent_id: null,
  enabled: true, is_domain: false, tags: [a], description: d, options: {}}}
POST /identity/v3/users: {user: {name: u, domain_id: default, password: p, enabled: true,
  default_project_id: PROJECT, options: {ignore_lockout_failure_attempts: true}}}
POST /identity/v3/groups: {group: {name: g, domain_id: default, description: d}}
POST /identity/v3/roles: {role: {name: r, description: d, options: {}}}
POST /identity/v3/services: {service: {name: s, type: t, enabled: true, description: d}}
POST /identity/v3/regions: {region: {id: r, description: d, parent_region_id: null}}
POST /identity/v3/registered_limits: {registered_limits: [{service_id: SERVICE, resource_name: r,
  default_limit: 5, region_id: null, description: d}]}
PUT /identity/v3/projects/PROJECT/tags: {tags: [a, b]}
PUT /object-store/v1/AUTH_PROJECT/c = c: {}
PUT /object-store/v1/AUTH_PROJECT/c/o/o = o: {a: 1}
POST /object-store/v1/AUTH_PROJECT/c/o/o: {}
POST /networking/v2.0/ports = WIRED: {port: {network_id: NETWORK, name: p, "binding:host_id": h,
  "binding:profile": {a: [1]}, "binding:vnic_type": baremetal, qos_policy_id: null,
  device_owner: "compute:nova", device_id: d}}
POST /networking/v2.0/ports/WIRED/bindings = BOUND: {binding: {host: other, vnic_type: baremetal,
  profile: {a: 1}}}
PUT /networking/v2.0/ports/WIRED/bindings/other/activate: {}
POST /networking/v2.0/address-groups = ADDRESSES: {address_group: {name: a, description: d,
  addresses: [10.0.0.0/24], project_id: PROJECT}}
PUT /networking/v2.0/address-groups/ADDRESSES/add_addresses: {addresses: [10.1.0.0/24,
  "2001:db8::/64"]}
PUT /networking/v2.0/address-groups/ADDRESSES/remove_addresses: {addresses: [
  10.0.0.0/24]}
POST /networking/v2.0/security-group-rules: {security_group_rule: {security_group_id: GROUP,
  direction: egress, remote_address_group_id: ADDRESSES, ethertype: IPv4, protocol: udp}}
POST /networking/v2.0/networks = OUTSIDE: {network: {name: o, "router:external": true,
  port_security_enabled: true, availability_zone_hints: [],
  segments: [{"provider:network_type": vlan, "provider:physical_network": one,
  "provider:segmentation_id": 7}]}}
POST /networking/v2.0/routers = ROUTER: {router: {name: r, external_gateway_info: {
  network_id: OUTSIDE, enable_snat: true, external_fixed_ips: []}, ha: false}}
PUT /networking/v2.0/routers/ROUTER/add_router_interface = JOINED: {subnet_id: SUBNET}
PUT /networking/v2.0/routers/ROUTER/add_extraroutes: {router: {routes: [{destination: 10.7.0.0/24,
  nexthop: 10.2.0.5}]}}
POST /networking/v2.0/address-scopes = SCOPE: {address_scope: {name: s, ip_version: 4,
  shared: false}}
POST /networking/v2.0/subnetpools = POOL: {subnetpool: {name: p, prefixes: [10.128.0.0/16],
  default_prefixlen: 24, min_prefixlen: 20, max_prefixlen: 28, address_scope_id: SCOPE,
  is_default: false, default_quota: 1000000}}
PUT /networking/v2.0/subnetpools/POOL/add_prefixes: {prefixes: [10.129.0.0/16]}
POST /networking/v2.0/trunks = TRUNK: {trunk: {port_id: SECOND, name: t, sub_ports: [{
  port_id: WIRED,
  segmentation_type: vlan, segmentation_id: 9}], admin_state_up: true}}
PUT /networking/v2.0/trunks/TRUNK/remove_subports: {sub_ports: [{port_id: WIRED}]}
POST /networking/v2.0/rbac-policies: {rbac_policy: {object_type: network, object_id: NETWORK,
  action: access_as_shared, target_tenant: "*"}}
POST /networking/v2.0/qos/policies = QOS: {policy: {name: q, shared: false, is_default: false}}
POST /networking/v2.0/qos/policies/QOS/bandwidth_limit_rules: {bandwidth_limit_rule: {max_kbps: 5,
  max_burst_kbps: 5, direction: egress}}
PUT /networking/v2.0/networks/NETWORK/tags: {tags: [a, b]}
PUT /networking/v2.0/quotas/PROJECT: {quota: {network: 5, port: -1}}
""")
#: Headers that these services read, with values that they take, and none.
HEADER_NAMES = (
    *("HTTP_X_OBJECT_META_A", "HTTP_X_DELETE_AFTER", "HTTP_X_DELETE_AT", "HTTP_RANGE"),
    *("HTTP_IF_MATCH", "HTTP_IF_NONE_MATCH", "HTTP_IF_MODIFIED_SINCE", "HTTP_ETAG"),
    *("HTTP_X_COPY_FROM", "HTTP_DESTINATION", "HTTP_X_OBJECT_MANIFEST", "HTTP_ORIGIN"),
    *("HTTP_X_CONTAINER_READ", "HTTP_X_ACCOUNT_META_TEMP_URL_KEY", "HTTP_X_SUBJECT_TOKEN"),
    *("CONTENT_TYPE", "HTTP_ACCEPT", "HTTP_X_IMAGE_META_STORE", "HTTP_CONTENT_ENCODING"),
)
HEADER_VALUES = (
    *("", "5", "-1", "9" * 40, "bytes=0-1", "bytes=-5", "bytes=5-1", "bytes=0-0,2-3", "bytes=x"),
    *("bytes=" + "0-1," * 500, "*", '"x"', "x/y", "../..", "\xff", "%00", "fast", "TOKEN"),
    *("Thu, 01 Jan 1970 00:00:00 GMT", "Thu, 99 Foo 0000 99:99:99 GMT", "application/json"),
    *("application/octet-stream", "application/openstack-images-v2.1-json-patch"),
)
MORE_QUERIES = (
    *("format=json", "format=xml", "prefix=o", "delimiter=/", "path=", "marker=o", "end_marker=z"),
    *(
        "temp_url_sig=x&temp_url_expires=9",
        "temp_url_sig=&temp_url_expires=x",
        "multipart-manifest",
    ),
    *("multipart-manifest=put", "limit=10001", "reverse=on", "created_at=gt:x", "size_min=x"),
    *("visibility=x", "member_status=all", "tag=a", "trustor_user_id=x", "tags=a&not-tags=b"),
    *(
        "nocatalog",
        "allow_expired=1",
        "name__contains=a",
        "sort=name:x",
        "include_names",
        "fields=x",
    ),
)


def of(asked):
    """Return method and path, and the name of what a template makes."""
    words = asked.split(" ")
    return words[0], words[1], words[3] if "=" in words else None


@pytest.fixture(scope="module")
def filled():
    filled = Filled("keystone", image_stores=("fast", "cheap"))
    filled.log_in("admin", "admin")
    filled.ids["SERVICE"] = filled.cloud.get("identity", "/services")["services"][0]["id"]
    filled.log_in("other-member", "other")
    filled.ids["OTHER"] = filled.ids["MYSELF"]
    # Who may do the most.
    filled.log_in("ironic", "service")
    (mine,) = filled.cloud.get("identity", "/auth/projects")["projects"]
    filled.ids |= {"PROJECT": mine["id"], "TOKEN": filled.cloud.token, "SPACE": "SPACE"}
    for asked, body in TEMPLATES.items():
        method, path, name = of(asked)
        if name:
            answer = ask(filled, method, path, "", body, {})
            assert answer.status < 300, (path, answer.body)
            found = json.loads(answer.body or b"{}")
            found = next(iter(found.values())) if len(found) == 1 else found
            filled.ids[name] = found.get("id", name)
    filled.cloud.app.control.snapshots.take("filled")
    return filled


def ask(filled, method, path, query, body, headers):
    """Return the answer to a request in which names stand for ids."""
    text = json.dumps(body)
    for name, ident in filled.ids.items():
        path, query = path.replace(name, ident), query.replace(name, ident)
        text = text.replace(f'"{name}"', f'"{ident}"')
    patch = path.startswith("/image/v2/images/") and method == "PATCH"
    kind = "application/openstack-images-v2.1-json-patch" if patch else "application/json"
    kind = "application/octet-stream" if path.endswith(("/file", "/stage")) else kind
    named = {"QUERY_STRING": query, "CONTENT_TYPE": kind, **HEADERS}
    named["HTTP_X_AUTH_TOKEN"] = filled.cloud.token
    given = {name: filled.ids.get(value, value) for name, value in headers.items()}
    path = path.encode().decode("latin-1")
    asked = request(method, path, None if body is None else text.encode(), **{**named, **given})
    return answer_errors(filled.cloud.app.answer, asked)


class Attacker:
    """Makes requests up, the same for the same seed."""

    def __init__(self, seed):
        self._random = random.Random(seed)
        self._addresses = [
            (method, PREFIXES[service] + address)
            for service in ("image", "identity", "object-store", "networking")
            for address, methods in services.addresses(service).items()
            for method in sorted(methods)
        ]

    def request(self):
        """Return method, path, query, body and headers."""
        choose, chance = self._random.choice, self._random.random
        asked = choose(list(TEMPLATES))
        method, path, _ = of(asked)
        body, kind = TEMPLATES[asked], chance()
        if kind < 0.6:
            for _ in range(choose([0, 1, 1, 1, 2])):
                body = replaced(body, choose(list(places(body))), choose(ODD))
        else:
            if kind < 0.9:
                method, path = choose(self._addresses)
                body = choose([None, body, choose(ODD)])
            else:
                method = choose(["GET", "HEAD", "OPTIONS", "COPY", "DELETE", "BOGUS"])
            words = [*WORDS, "PICTURE", "TRUST", "MYSELF", "WIRED", "AUTH_PROJECT", "c", "ports"]
            path = "/".join(choose(words) if "{" in one else one for one in path.split("/"))
        many = choose([0, 1, 1, 2]) if method in ("GET", "HEAD") or chance() < 0.1 else 0
        query = "&".join(choose([*QUERIES, *MORE_QUERIES]) for _ in range(many))
        some = choose([1, 2]) if chance() < 0.3 else 0
        headers = {choose(HEADER_NAMES): choose(HEADER_VALUES) for _ in range(some)}
        return method, path, query, body, headers


def requests_to_try(pytestconfig, few, many):
    number = many if pytestconfig.getoption("--all") else few
    return int(os.environ.get("FAKE_SERVER_REQUESTS", number))


def test_the_templates_are_accepted(filled):
    problems = []
    for asked, body in TEMPLATES.items():
        filled.restore()
        method, path, name = of(asked)
        answer = ask(filled, method, path, "", body, {})
        # Nobody trusts himself.
        if answer.status >= 400 and not name and not asked.endswith(" trust"):
            problems.append(f"{answer.status} {asked}: {answer.body[:300]}")
    assert problems == [], "\n".join(problems)


def test_each_request_is_answered(filled, pytestconfig, caplog):
    attacker = Attacker(int(os.environ.get("FAKE_SERVER_SEED", 1)))
    problems = []
    caplog.set_level(logging.ERROR)  # a download that fails is only a warning
    for position in range(requests_to_try(pytestconfig, 1000, 20_000)):
        if position % 300 == 0:
            filled.restore()
        if position % 20 == 0:
            filled.cloud.clock.advance(5)
        asked = attacker.request()
        answer = ask(filled, *asked)
        if answer.status >= 500 or caplog.records:
            problems.append(
                f"{answer.status} {str(asked)[:400]}: {answer.body[:200]} {caplog.text}"
            )
            caplog.clear()
    assert problems == [], "\n".join(problems)


def test_a_refused_request_stores_nothing(filled, pytestconfig):
    attacker = Attacker(int(os.environ.get("FAKE_SERVER_SEED", 1)) + 1)
    problems = []
    filled.restore()
    for _ in range(requests_to_try(pytestconfig, 200, 5000)):
        # What is due happens when somebody looks.
        ask(filled, "GET", "/image/v2/images", "", None, {})
        before = filled.rows()
        asked = attacker.request()
        answer = ask(filled, *asked)
        if answer.status >= 400 and (after := filled.rows()) != before:
            changed = {name: rows for name, rows in after.items() if rows != before[name]}
            problems.append(f"{answer.status} {str(asked)[:300]}: {str(changed)[:300]}")
    assert problems == [], "\n".join(problems)
