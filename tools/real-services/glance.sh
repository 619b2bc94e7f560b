# shellcheck shell=bash
# Glance. There is no Keystone: who sends a request is what its headers say. For an administrator:
#   curl -H X-Identity-Status:Confirmed -H X-User-Id:u -H X-Project-Id:p \
#       -H X-Roles:admin,member,reader http://127.0.0.1:PORT/v2/images
distribution=glance version=33.0.0
# Some of its dependencies still import pkg_resources.
packages=(werkzeug "setuptools<81")
record_with=fake_server/tests/image/glance

configure() {
    mkdir "$1/images" "$1/staging"
    cat > "$1/glance-api.conf" <<CONF
[DEFAULT]
enabled_import_methods = [glance-direct,web-download]
node_staging_uri = file://$1/staging
log_file = $1/log
[database]
connection = sqlite:///$1/glance.sqlite
[glance_store]
stores = file
default_store = file
filesystem_store_datadir = $1/images
[import_filtering_opts]
allowed_hosts = [127.0.0.1,localhost]
allowed_ports = []
[paste_deploy]
flavor = headers
config_file = $1/paste.ini
CONF
    cp "$venv/etc/glance/glance-api-paste.ini" "$1/paste.ini"
    cat >> "$1/paste.ini" <<CONF
[pipeline:glance-api-headers]
pipeline = versionnegotiation context rootapp
CONF
}

prepare() {
    export OS_GLANCE_CONFIG_DIR=$1
    "$venv/bin/glance-manage" --config-file "$1/glance-api.conf" db_sync
}

serve() {
    cat <<'PYTHON'
"""Serve Glance; argument: the port."""

import sys

port = int(sys.argv[1])
sys.argv[1:] = []

from glance.wsgi.api import application  # noqa: E402
from werkzeug.serving import run_simple  # noqa: E402

run_simple("127.0.0.1", port, application, threaded=True)
PYTHON
}
