"""Whatever is asked, there is an answer: each route and body, with odd values, to a filled cloud.

``FAKE_SERVER_REQUESTS`` says how many requests are tried (default: 500; 20,000 with ``--all``),
``FAKE_SERVER_SEED`` with which random numbers.
"""

from __future__ import annotations

import json
import os
import random
import time
from pathlib import Path

import pytest
import yaml

from fake_server.baremetal import hardware_types
from fake_server.tests.compute.conftest import PREFIXES
from fake_server.tests.filled_cloud import Filled
from fake_server.tests.test_recorded_bodies import BODIES, places, replaced
from fake_server.tests.wsgi import request


def split(text):
    return text.split()


ROOT = Path(__file__).parents[2]
ROUTES = [
    route.split(" ")
    for route in json.loads((ROOT / "doc/source/reference/routes.json").read_text("utf-8"))
]
BAREMETAL = """
POST /nodes: {driver: redfish, name: x, properties: {capabilities: "a:b", cpus: 1},
  driver_info: {redfish_address: "https://x", redfish_verify_ca: "yes", redfish_system_id: /a},
  instance_info: {capabilities: '{"a": 1}', root_gb: 1, traits: [A]}, extra: {a: [1]},
  network_data: {}, conductor_group: "", resource_class: r, description: d, lessee: l,
  retired_reason: r, network_interface: flat, parent_node: null, shard: s, disable_power_off: true}
POST /nodes ipmi: {driver: ipmi, driver_info: {ipmi_address: h, ipmi_port: 1, ipmi_bridging: dual,
  ipmi_transit_channel: 1, ipmi_cipher_suite: 3, deploy_kernel: "http://k", deploy_ramdisk: r}}
POST /nodes idrac: {driver: idrac, driver_info: {redfish_address: h, redfish_auth_type: basic,
  redfish_username: u, redfish_password: p, drac_address: h}}
PATCH /nodes/MANAGED: [{op: add, path: /extra/a, value: {b: 1}}, {op: add, path: /driver_info/x,
  value: 1}, {op: remove, path: /name}]
PUT /nodes/MANAGED/states/provision clean: {target: clean, clean_steps: [{interface: deploy,
  step: erase_devices, args: {a: 1}}], disable_ramdisk: true}
PUT /nodes/READY/states/provision deploy: {target: active, configdrive: {meta_data: {a: 1},
  user_data: u, network_data: {}}, deploy_steps: [{interface: deploy, step: s, priority: 1,
  args: {}}]}
PUT /nodes/ACTIVE/states/provision rescue: {target: rescue, rescue_password: p}
PUT /nodes/ACTIVE/states/provision service: {target: service, service_steps: [{interface: bios,
  step: apply_configuration, args: {settings: [{name: a, value: b}]}}]}
PUT /nodes/NODE/states/power: {target: power on, timeout: 5}
PUT /nodes/MANAGED/states/raid: {logical_disks: [{size_gb: 1, raid_level: "1", is_root_volume: true,
  controller: c, physical_disks: [p]}]}
PUT /nodes/NODE/states/boot_mode: {target: uefi}
PUT /nodes/NODE/states/secure_boot: {target: true}
PUT /nodes/NODE/states/console: {enabled: true}
PUT /nodes/NODE/maintenance: {reason: r}
PUT /nodes/NODE/management/boot_device: {boot_device: pxe, persistent: true}
PUT /nodes/MANAGED/traits: {traits: [CUSTOM_A, HW_CPU_X86_AVX]}
POST /nodes/NODE/vifs: {id: VIF}
POST /nodes/NODE/vmedia: {device_type: cdrom, image_url: "http://x", image_download_source: http}
POST /nodes/NODE/vendor_passthru/second_method: {bar: baz}
POST /ports: {node_uuid: NODE, address: "aa:bb:cc:dd:ee:ff", portgroup_uuid: null, extra: {},
  local_link_connection: {switch_id: "aa:bb:cc:dd:ee:01", port_id: p, switch_info: s},
  pxe_enabled: true, physical_network: p, is_smartnic: false, name: n, description: d}
POST /portgroups: {node_uuid: NODE, address: null, name: g, mode: 802.3ad, properties: {a: 1},
  standalone_ports_supported: true, physical_network: p}
POST /chassis: {description: d, extra: {a: 1}}
POST /volume/connectors: {node_uuid: NODE, type: iqn, connector_id: iqn.x, extra: {a: 1}}
POST /volume/targets: {node_uuid: NODE, volume_type: iscsi, volume_id: v, boot_index: 3,
  properties: {target_iqn: iqn.x, target_lun: 1, auth_password: p}, extra: {}}
POST /allocations: {name: a, resource_class: gold, traits: [CUSTOM_A], candidate_nodes: [READY],
  owner: o, extra: {a: 1}}
POST /deploy_templates: {name: CUSTOM_T, steps: [{interface: bios, step: s, args: {a: 1},
  priority: 1}], extra: {}}
POST /runbooks: {name: CUSTOM_R, public: true, owner: null, description: d,
  steps: [{interface: bios, step: s, args: {a: 1}, order: 1}], disable_ramdisk: false}
POST /inspection_rules: {description: d, priority: 5, phase: main, sensitive: false,
  conditions: [{op: eq, args: ["{inventory.a}", 1], multiple: any, loop: [1]}],
  actions: [{op: set-attribute, args: {path: /extra/a, value: "{item}"}, loop: [1]}]}
PATCH /ports/PORT: [{op: add, path: /extra/a, value: 1}]
PATCH /volume/targets/TARGET: [{op: add, path: /properties/a, value: 1}]
PATCH /allocations/ALLOCATION: [{op: add, path: /extra/a, value: 1}]
PATCH /deploy_templates/TEMPLATE: [{op: replace, path: /extra, value: {}}]
POST /events: {events: [{event: network.bind_port, port_id: PORT, mac_address: "aa:bb:cc:dd:ee:ff",
  status: ACTIVE, device_id: NODE, "binding:host_id": NODE, "binding:vnic_type": baremetal}]}
POST /heartbeat/NODE: {callback_url: "http://a", agent_version: "1.0", agent_token: t,
  agent_status: start, agent_status_message: m, agent_verify_ca: c}
POST /continue_inspection: {inventory: {interfaces: [{mac_address: "aa:bb:cc:dd:ee:ff",
  lldp: [[1, "00"]]}], bmc_address: 1.2.3.4, memory: {physical_mb: 1}, cpu: {count: 1,
  architecture: x, flags: [a]}, disks: [{name: a, size: 1}]}, plugin_data: {a: 1}}
"""
NETWORK = """
POST /networks: {network: {name: n, admin_state_up: true, shared: false, mtu: 1500,
  "provider:network_type": vlan, "provider:physical_network": p, "provider:segmentation_id": 5,
  "router:external": false}}
POST /subnets: {subnet: {network_id: NETWORK, ip_version: 4, cidr: 10.9.0.0/24, gateway_ip: null,
  allocation_pools: [{start: 10.9.0.5, end: 10.9.0.9}], dns_nameservers: [1.1.1.1],
  host_routes: [{destination: 1.2.3.0/24, nexthop: 10.9.0.2}], enable_dhcp: true}}
POST /ports: {port: {network_id: NETWORK, name: p, mac_address: "fa:16:3e:00:00:01", device_id: d,
  fixed_ips: [{subnet_id: SUBNET, ip_address: 10.2.0.9}], "binding:host_id": h,
  "binding:profile": {local_link_information: [{switch_id: a, port_id: b}]},
  "binding:vnic_type": baremetal, security_groups: [GROUP], extra_dhcp_opts: [{opt_name: a,
  opt_value: b, ip_version: 4}], allowed_address_pairs: [{ip_address: 1.1.1.1}]}}
PUT /ports/SECOND: {port: {device_id: x, "binding:profile": {}, fixed_ips: []}}
PUT /networks/NETWORK: {network: {name: m, admin_state_up: false}}
POST /security-groups: {security_group: {name: g, description: d, stateful: true}}
POST /security-group-rules: {security_group_rule: {security_group_id: GROUP, direction: ingress,
  ethertype: IPv4, protocol: tcp, port_range_min: 1, port_range_max: 2,
  remote_ip_prefix: 0.0.0.0/0}}
"""
ODD = [
    *(None, True, False, 0, -1, 2**31, 2**63, 2**70, -(2**70), 1.5, 1e308, [], {}, "", " ", "\0"),
    *("é", "\ud7ff", "\U0010ffff", "%", "%00", "..", "/", "a" * 300, "a" * 70_000, "NaN", "1e999"),
    *("null", "true", "{x}", "{0.__class__}", "%s%n", "' OR 1=1 --", "$(id)", "(a+)+$", "["),
    *([[]], [None], ["a"] * 50, [{}], {"": None}, {"a": {"a": {"a": 1}}}, {"\0": "\0"}),
    *("http://[", "0x10", "٣", "1.2.3.4", "::1", "aa:bb:cc:dd:ee:ff", "[" * 2000, '{"a":' * 500),
]
WORDS = split("""
NODE PORT SECOND TARGET CONNECTOR ALLOCATION RUNBOOK TEMPLATE RULE CHASSIS GROUP VOLUME SPARE
SERVER FLAVOR NETWORK SUBNET PROVIDER CONSUMER n1 n2 fake-hardware redfish detail states CUSTOM_A
VCPU moon 0 -1 %00 %ff %2e%2e é .json n1.json null None 00000000-0000-0000-0000-000000000000
""")
QUERIES = split("""
limit=1 limit=0 limit=-1 limit=x limit=99999999999999999999 marker=NODE marker=x sort_key=uuid
sort_key=extra sort_key=x sort_dir=desc sort_dir=x fields=uuid,name fields=x fields= detail=true
detail=x node=NODE node=x driver=redfish owner=o maintenance=true maintenance=x name=n1 status=x
address=aa:bb:cc:dd:ee:ff description_contains=%25 instance_uuid=x resource_class=gold shard=a,b
provision_state=active associated=x parent_node=NODE include_children=x all_tenants=1 =& & %ff=%ff
resources=VCPU:1 resources=x required=!CUSTOM_A member_of=in:a group_policy=none in_tree=x type=x
interval=x source=x level=x include_owned=x project=x conductor_group= sharded=x
""")
HEADERS = [
    {},
    {"HTTP_X_OPENSTACK_IRONIC_API_VERSION": "latest"},
    {"HTTP_X_OPENSTACK_IRONIC_API_VERSION": "1.1"},
    {"HTTP_X_OPENSTACK_IRONIC_API_VERSION": "\xff"},
    {"HTTP_OPENSTACK_API_VERSION": "compute 2.1, placement 1.0, volume 3.0"},
    {"HTTP_OPENSTACK_API_VERSION": "x"},
    {"HTTP_ACCEPT": "text/html"},
    {"CONTENT_TYPE": "text/plain"},
    {"CONTENT_LENGTH": "x"},
    {"HTTP_X_FORWARDED_PROTO": "\xff", "HTTP_X_FORWARDED_HOST": "a,b"},
]
#: Requests of agents, and of users where there are none.
NOT_EXPECTED = ("/heartbeat", "/continue_inspection", "/users")
OF_IRONIC = (
    ("CHASSIS", "/chassis", {}),
    ("PORT", "/ports", {"node_uuid": "NODE", "address": "aa:bb:cc:00:00:01"}),
    ("CONNECTOR", "/volume/connectors", {"node_uuid": "NODE", "type": "ip", "connector_id": "c"}),
    (
        "TARGET",
        "/volume/targets",
        {"node_uuid": "MANAGED", "volume_type": "iscsi", "volume_id": "v", "boot_index": 7},
    ),
    (
        "TEMPLATE",
        "/deploy_templates",
        {
            "name": "CUSTOM_X",
            "steps": [{"interface": "bios", "step": "s", "args": {}, "priority": 1}],
        },
    ),
    ("ALLOCATION", "/allocations", {"name": "all", "resource_class": "silver"}),
)


def templates():
    """Yield service, method, path and body of requests that are valid."""
    for service, text in (("baremetal", BAREMETAL), ("network", NETWORK)):
        for asked, body in yaml.safe_load(text).items():
            method, path = asked.split(" ")[:2]
            yield service, method, path, body
    for line in BODIES.read_text("utf-8").partition("\n")[2].replace("\n ", " ").splitlines():
        service, method, path, body = line.split(" ", 3)
        yield service, method, path, yaml.safe_load(body)


TEMPLATES = list(templates())


class Attacker:
    """Makes requests up, the same for the same seed."""

    def __init__(self, seed):
        self._random = random.Random(seed)

    def request(self):
        """Return service, method, path, query, body and headers."""
        choose = self._random.choice
        service, method, path, body = choose(TEMPLATES)
        kind = self._random.random()
        if kind < 0.6:
            for _ in range(choose([0, 1, 1, 1, 2])):
                body = replaced(body, choose(list(places(body))), choose(ODD))
        elif kind < 0.9:
            method, path = choose(ROUTES)
            path = "/".join(choose(WORDS) if part == "{}" else part for part in path.split("/"))
            service, path = "baremetal", path.removeprefix("/v1")
            body = choose([None, body, choose(ODD)])
        else:
            method = choose(["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "BOGUS"])
            path += "".join(f"/{choose(WORDS)}" for _ in range(choose([1, 2, 3])))
        rarely = self._random.random() < 0.1
        asks = method == "GET" or rarely
        query = "&".join(choose(QUERIES) for _ in range(choose([0, 1, 1, 2]))) if asks else ""
        return service, method, path, query, body, choose(HEADERS) if rarely else {}


@pytest.fixture(scope="module")
def filled():
    interfaces = {
        **hardware_types.enabled_interfaces(tuple(hardware_types.TYPES)),
        "deploy": ("fake", "direct"),
        "network": ("noop", "flat", "neutron"),
    }
    filled = Filled("none", interfaces=interfaces)
    cloud = filled.cloud
    for name, verbs in {"MANAGED": ["manage"], "READY": [], "ACTIVE": ["active"]}.items():
        filled.ids[name] = cloud.node(name.lower(), "silver", connected=False)
        for verb in verbs:
            path = f"/nodes/{filled.ids[name]}/states/provision"
            cloud.ironic("PUT", path, {"target": verb})
            cloud.clock.advance(1)
    cloud.ironic("PUT", f"/nodes/{filled.ids['MANAGED']}/states/power", {"target": "power off"})
    cloud.clock.advance(1)
    for name, path, body in OF_IRONIC:
        filled.add(name, "baremetal", path, body)
    cloud.app.control.snapshots.take("filled")
    return filled


def test_the_templates_are_accepted(filled):
    problems = []
    for service, method, path, body in TEMPLATES:
        filled.restore()
        answer = ask(filled, service, method, path, "", body, {})
        if answer.status >= 400 and not path.startswith(NOT_EXPECTED):
            problems.append(f"{answer.status} {service} {method} {path}: {answer.body[:300]}")
    assert problems == [], "\n".join(problems)


def test_each_request_is_answered(filled, pytestconfig, caplog):
    number = 20_000 if pytestconfig.getoption("--all") else 500
    number = int(os.environ.get("FAKE_SERVER_REQUESTS", number))
    attacker = Attacker(int(os.environ.get("FAKE_SERVER_SEED", 1)))
    problems = []
    for position in range(number):
        if position % 300 == 0:
            filled.restore()
        if position % 20 == 0:
            filled.cloud.clock.advance(90)
        asked = attacker.request()
        begun = time.process_time()
        problem = wrong(filled, *asked)
        spent = time.process_time() - begun
        if caplog.records:
            problem = f"{problem or 'logged'}: {caplog.text[:1000]}"
            caplog.clear()
        if problem or spent > 5:
            problems.append(f"{problem or f'{spent:.1f} s'}: {str(asked)[:400]}")
    assert problems == [], "\n".join(problems)


LOOKED_AT = (("baremetal", "/nodes"), ("compute", "/servers/detail"), ("volume", "/volumes"))


def test_a_refused_request_stores_nothing(filled, pytestconfig):
    number = 5000 if pytestconfig.getoption("--all") else 100
    number = int(os.environ.get("FAKE_SERVER_REQUESTS", number))
    attacker = Attacker(int(os.environ.get("FAKE_SERVER_SEED", 1)) + 1)
    problems = []
    filled.restore()
    for _ in range(number):
        # What is due happens when somebody looks.
        for service, path in LOOKED_AT:
            ask(filled, service, "GET", path, "", None, {})
        before = filled.rows()
        asked = attacker.request()
        answer = ask(filled, *asked)
        if answer.status >= 400 and (after := filled.rows()) != before:
            changed = {name: rows for name, rows in after.items() if rows != before[name]}
            problems.append(f"{answer.status} {str(asked)[:300]}: {str(changed)[:300]}")
    assert problems == [], "\n".join(problems)


def ask(filled, service, method, path, query, body, headers):
    """Return the answer to a request in which names stand for ids."""
    text = json.dumps(body)
    for name, ident in filled.ids.items():
        path = path.replace(name, ident)
        query = query.replace(name, ident)
        text = text.replace(f'"{name}"', f'"{ident}"')
    path = (PREFIXES[service] + path).encode().decode("latin-1")
    named = {
        "QUERY_STRING": query,
        "CONTENT_TYPE": "application/json",
        "HTTP_X_OPENSTACK_IRONIC_API_VERSION": "latest",
        "HTTP_OPENSTACK_API_VERSION": "compute 2.105, placement 1.39, volume 3.71",
    }
    data = None if body is None else text.encode()
    return filled.cloud.app.answer(request(method, path, data, **{**named, **headers}))


def wrong(filled, service, method, path, query, body, headers):
    """Return what is wrong with the answer to a request, None if it is as it should be."""
    answer = ask(filled, service, method, path, query, body, headers)
    if answer.status >= 500:
        return f"{answer.status} {answer.body[:300]!r}"
    kind = dict(answer.headers).get("Content-Type", "")
    if answer.body and method != "HEAD" and "html" not in kind:
        try:
            json.loads(answer.body)
        except ValueError:
            return f"{answer.status} is no JSON: {kind} {answer.body[:100]!r}"
    return None
