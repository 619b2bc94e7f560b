# shellcheck shell=bash
# Neutron (its API alone) with networking-baremetal. There is no Keystone: who sends a request is what its
# headers say, as behind Neutron's authentication middleware. For an administrator:
#   curl -H X-User-Id:u -H X-Project-Id:p -H X-Roles:admin,member,reader http://127.0.0.1:PORT/v2.0/networks
distribution=neutron version=29.0.0 python=python3.12
packages=(networking-baremetal)
record_with=fake_server/tests/networking/neutron

configure() {
    mkdir "$1/lock"
    cat > "$1/neutron.conf" <<CONF
[DEFAULT]
auth_strategy = keystone
core_plugin = ml2
service_plugins = segments,trunk,router,qos,port_forwarding
transport_url = fake://
api_paste_config = $1/api-paste.ini
state_path = $1
dhcp_agent_notification = false
notify_nova_on_port_status_changes = false
notify_nova_on_port_data_changes = false
[oslo_concurrency]
lock_path = $1/lock
[database]
connection = sqlite:///$1/neutron.sqlite
[oslo_messaging_notifications]
driver = noop
[placement]
auth_type = none
endpoint_override = http://127.0.0.1:1
[quotas]
quota_floatingip = -1
quota_network = -1
quota_port = -1
quota_rbac_policy = -1
quota_router = -1
quota_security_group = -1
quota_security_group_rule = -1
quota_subnet = -1
quota_trunk = -1
[ml2]
type_drivers = flat,vlan,vxlan,geneve,local
tenant_network_types = vxlan
# The trunk plugin refuses to start with the baremetal driver alone.
mechanism_drivers = baremetal,openvswitch
extension_drivers = port_security,qos
[ml2_type_flat]
flat_networks = *
[ml2_type_vlan]
network_vlan_ranges = physnet1,physnet2
[ml2_type_vxlan]
vni_ranges = 1:1000
[ml2_type_geneve]
vni_ranges = 1:1000
CONF
    # Without Keystone's middleware, the headers that it would set are the client's.
    sed 's/ authtoken keystonecontext/ keystonecontext/' "$venv/etc/neutron/api-paste.ini" \
        > "$1/api-paste.ini"
}

serve() {
    cat <<'PYTHON'
"""Serve Neutron's API from the configuration beside this file; argument: the port."""

import os
import sys
from pathlib import Path
from socketserver import ThreadingMixIn
from wsgiref.simple_server import WSGIServer, make_server

import sqlalchemy

port = int(sys.argv[1])
sys.argv[1:] = []
state = Path(__file__).parent
os.environ["OS_NEUTRON_CONFIG_FILES"] = str(state / "neutron.conf")

from neutron import server  # noqa: E402
from neutron.db.migration.models import head  # noqa: E402
from neutron.server import api  # noqa: E402

# Neutron's migrations don't run on SQLite: make the tables as they are at the end of all.
head.get_metadata().create_all(sqlalchemy.create_engine(f"sqlite:///{state}/neutron.sqlite"))


class Server(ThreadingMixIn, WSGIServer):
    daemon_threads = True


app = server.boot_server(api.api_server, prog="neutron-api")
make_server("127.0.0.1", port, app, Server).serve_forever()
PYTHON
}

complete() {  # agents of hosts, and the rules of new security groups that the migrations add
    "$venv/bin/python" - "$state/neutron.sqlite" <<'PYTHON'
import json
import sqlite3
import sys

database = sqlite3.connect(sys.argv[1])
agent = {
    "agent_type": "Open vSwitch agent",
    "binary": "neutron-openvswitch-agent",
    "topic": "N/A",
    "admin_state_up": True,
    **dict.fromkeys(("created_at", "started_at", "heartbeat_timestamp"), "2099-01-01 00:00:00"),
    "configurations": json.dumps({"bridge_mappings": {"phys9": "br-phys9"}}),
    "load": 0,
}
for host in "abc":
    row = {**agent, "host": host, "id": f"00000000-0000-0000-0000-00000000000{host}"}
    names = ", ".join(row)
    values = ", ".join("?" for _ in row)
    database.execute(f"INSERT INTO agents ({names}) VALUES ({values})", list(row.values()))
database.commit()
PYTHON
    local version rule used
    for version in 4 6; do
        for rule in '"direction": "egress"' '"direction": "ingress", "remote_group_id": "PARENT"'; do
            used=$([[ $rule == *egress* ]] && echo true || echo false)
            curl -fsS -o /dev/null -H X-User-Id:u -H X-Project-Id:p -H X-Roles:admin -d "{
                \"default_security_group_rule\": {\"ethertype\": \"IPv$version\", $rule,
                \"used_in_default_sg\": true, \"used_in_non_default_sg\": $used}
            }" "$1/v2.0/default-security-group-rules"
        done
    done
}
