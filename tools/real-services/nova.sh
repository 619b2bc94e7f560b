# shellcheck shell=bash
# Nova, all of it in one process, with its driver for Ironic. Keystone, Ironic and the other services that it
# needs are those of a fake server on the next port, whose cloud is that of the tests.
distribution=nova version=34.0.0 python=python3.12
packages=(werkzeug "setuptools<81")
record_with=fake_server/tests/compute/nova

configure() {
    mkdir "$1/lock"
    # Makes empty config drives.
    cat > "$1/mkisofs" <<'SH'
#!/bin/sh
while [ $# -gt 0 ]; do [ "$1" = -o ] && : > "$2"; shift; done
SH
    chmod +x "$1/mkisofs"
    cp "$venv/etc/nova/api-paste.ini" "$1"
    cat > "$1/nova.conf" <<CONF
[DEFAULT]
# As the fake server calls the host of its own Nova.
host = localhost-ironic
log_file = $1/log
state_path = $1
transport_url = fake:/
my_ip = 127.0.0.1
compute_driver = ironic.IronicDriver
mkisofs_cmd = $1/mkisofs
update_resources_interval = 5
service_down_time = 3600
[api_database]
connection = sqlite:///$1/api.sqlite?timeout=60
sqlite_synchronous = false
[database]
connection = sqlite:///$1/cell.sqlite?timeout=60
sqlite_synchronous = false
[filter_scheduler]
track_instance_changes = false
[oslo_concurrency]
lock_path = $1/lock
[oslo_messaging_notifications]
driver = noop
$(user keystone_authtoken ironic "project_name = service")
www_authenticate_uri = $cloud/identity/v3
$(user placement ironic "project_name = service")
$(user neutron ironic "project_name = service")
$(user cinder ironic "project_name = service")
$(user glance ironic "project_name = service")
$(user service_user nova "project_name = service")
send_service_user_token = true
$(user ironic admin "system_scope = all")
api_retry_interval = 1
CONF
}

user() {  # user SECTION NAME SCOPE: with what Nova proves to a service who it is
    cat <<CONF
[$1]
auth_type = password
auth_url = $cloud/identity/v3
username = $2
password = secret
user_domain_id = default
project_domain_id = default
region_name = RegionOne
$3
CONF
}
cloud=http://127.0.0.1:$((${port:-0} + 1))

prepare() {
    setsid "$here/dev" run baremetal-fake-server serve --port $((port + 1)) --auth keystone \
        --placement-sync 1000000 --seed "$here/../fake_server/tests/compute/cloud_of_nova.yaml" \
        > "$1/cloud" 2>&1 < /dev/null &
    echo $! > "$1/cloud.pid"
    local manage=("$venv/bin/nova-manage" --config-file "$1/nova.conf")
    "${manage[@]}" api_db sync
    "${manage[@]}" cell_v2 map_cell0 --database_connection "sqlite:///$1/cell0.sqlite?timeout=60"
    "${manage[@]}" db sync
    "${manage[@]}" cell_v2 create_cell --name cell1
}

serve() {
    cat <<'PYTHON'
"""Serve Nova's API, with its other services in threads; argument: the port."""

import os
import sys
from pathlib import Path

port = int(sys.argv[1])
sys.argv[1:] = []
os.environ["OS_NOVA_CONFIG_DIR"] = str(Path(__file__).parent)

from nova import monkey_patch  # noqa: E402

monkey_patch.patch(backend="threading")

from nova import config, context, objects, service  # noqa: E402
from nova.api.openstack import wsgi_app  # noqa: E402
from nova.compute import rpcapi  # noqa: E402
from nova.objects import host_mapping  # noqa: E402
from sqlalchemy import event  # noqa: E402
from sqlalchemy.engine import Engine  # noqa: E402
from werkzeug.serving import run_simple  # noqa: E402


@event.listens_for(Engine, "before_cursor_execute", retval=True)
def begin_writing(conn, cursor, statement, parameters, context, executemany):
    """Let threads wait for each other: SQLite refuses to make a writer of a reader."""
    return "BEGIN IMMEDIATE" if statement == "BEGIN" else statement, parameters


app = wsgi_app.init_application("osapi_compute", "nova-api")
host = config.CONF.host
for binary, name in (
    ("nova-conductor", host.removesuffix("-ironic")),
    ("nova-scheduler", host.removesuffix("-ironic")),
    ("nova-compute", host),
):
    topic = rpcapi.RPC_TOPIC_ALT if binary == "nova-compute" else None
    service.Service.create(host=name, binary=binary, topic_alt=topic).start()
host_mapping.discover_hosts(context.get_admin_context())
run_simple("127.0.0.1", port, app, threaded=True)
PYTHON
}
