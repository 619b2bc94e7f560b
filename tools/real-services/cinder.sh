# shellcheck shell=bash
# Cinder: its API, scheduler, and a volume and a backup service whose drivers store nothing, in one process.
# There is no Keystone: who sends a request is what its headers say. For an administrator:
#   curl -H X-User-Id:u -H X-Project-Id:p -H X-Roles:admin,member,reader http://127.0.0.1:PORT/v3/volumes
distribution=cinder version=29.0.0 python=python3.12
# Some of its dependencies still import pkg_resources.
packages=(werkzeug "setuptools<81")
record_with=fake_server/tests/block_storage/cinder

configure() {
    mkdir "$1/lock"
    cat > "$1/cinder.conf" <<CONF
[DEFAULT]
auth_strategy = keystone
transport_url = fake://
host = fake
enabled_backends = storage
backup_driver = served.Backups
backup_use_same_host = true
default_volume_type = __DEFAULT__
api_paste_config = $1/api-paste.ini
resource_query_filters_file = $venv/etc/cinder/resource_filters.json
state_path = $1
log_file = $1/log
scheduler_driver_init_wait_time = 1
# Of several services in one process, the last one alone says that it is up.
service_down_time = 1000000
[oslo_concurrency]
lock_path = $1/lock
[database]
connection = sqlite:///$1/cinder.sqlite?timeout=60
[oslo_messaging_notifications]
driver = noop
[storage]
volume_backend_name = storage
volume_driver = served.Volumes
CONF
    # Without Keystone's middleware, the headers that it would set are the client's.
    sed 's/ authtoken keystonecontext/ keystonecontext/' "$venv/etc/cinder/api-paste.ini" \
        > "$1/api-paste.ini"
}

prepare() {
    "$venv/bin/cinder-manage" --config-file "$1/cinder.conf" db sync
}

serve() {
    cat <<'PYTHON'
"""Serve Cinder from the configuration beside this file; argument: the port."""

import os
import sys
from pathlib import Path

port = int(sys.argv[1])
sys.argv[1:] = ["--config-file", str(Path(__file__).with_name("cinder.conf"))]
os.environ["OS_CINDER_DISABLE_EVENTLET_PATCHING"] = "yes"

from cinder import monkey_patch  # noqa: E402

monkey_patch.patch()

import cinder.cmd.volume  # noqa: E402, F401
from cinder import service  # noqa: E402
from cinder.backup.driver import BackupDriver  # noqa: E402
from cinder.volume import volume_utils  # noqa: E402
from cinder.volume.driver import VolumeDriver  # noqa: E402
from cinder.wsgi.wsgi import initialize_application  # noqa: E402
from werkzeug.serving import run_simple  # noqa: E402


def nothing(self, *args, **options):
    return None


class Volumes(VolumeDriver):
    """Has room for every volume, and stores none."""

    check_for_setup_error = create_volume = delete_volume = extend_volume = nothing
    create_snapshot = delete_snapshot = revert_to_snapshot = nothing
    create_cloned_volume = create_volume_from_snapshot = nothing
    ensure_export = create_export = remove_export = terminate_connection = nothing

    def _update_volume_stats(self):
        room = {"total_capacity_gb": "infinite", "free_capacity_gb": "infinite"}
        pool = {"pool_name": "pool", "reserved_percentage": 0, "multiattach": True, **room}
        about = {"vendor_name": "Fake", "driver_version": "1.0", "storage_protocol": "iSCSI"}
        self._stats = {**about, "volume_backend_name": "storage", "pools": [pool]}

    def initialize_connection(self, volume, connector):
        return {"driver_volume_type": "iscsi", "data": {}}

    def retype(self, *args):
        return True


class Backups(BackupDriver):
    """Stores nothing."""

    def __init__(self, *args, **options):
        super().__init__(*args, **options)
        self.support_force_delete = True

    backup = restore = delete_backup = nothing


sys.modules["served"] = sys.modules["__main__"]
app = initialize_application()
from cinder.backup.manager import BackupManager  # noqa: E402

# What would need a storage, and the right to ask the machine.
BackupManager._attach_device = lambda *args, **options: {"device": {"path": "/dev/null"}}
BackupManager._detach_device = nothing
volume_utils.brick_get_connector_properties = lambda *args, **options: {}
for binary in ("scheduler", "backup", "volume"):
    host, backend = ("fake@storage", "storage") if binary == "volume" else ("fake", None)
    service.Service.create(
        host=host, binary=f"cinder-{binary}", service_name=backend, coordination=True
    ).start()
run_simple("127.0.0.1", port, app, threaded=True)
PYTHON
}

complete() {  # the types that the fake server has from the start
    local specs name
    for name in multiattach fibre-channel; do
        specs=$([[ $name == multiattach ]] && echo '{"multiattach": "<is> True"}' ||
            echo '{"storage_protocol": "FC"}')
        curl -fsS -o /dev/null -H X-User-Id:u -H X-Project-Id:p -H X-Roles:admin \
            -H Content-Type:application/json \
            -d "{\"volume_type\": {\"name\": \"$name\", \"extra_specs\": $specs}}" "$1/v3/types"
    done
}
