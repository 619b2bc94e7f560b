# shellcheck shell=bash
# Placement. There is no Keystone: the token "admin" is an administrator's.
distribution=openstack-placement version=16.0.0
packages=(werkzeug)
record_with=fake_server/tests/placement/placement

configure() {
    cat > "$1/placement.conf" <<CONF
[api]
auth_strategy = noauth2
[oslo_policy]
policy_file = $1/policy.yaml
[placement_database]
connection = sqlite:///$1/placement.sqlite
CONF
    # Without Keystone nobody has the role that it takes.
    echo '"placement:reshaper:reshape": "role:admin"' > "$1/policy.yaml"
}

prepare() {
    export OS_PLACEMENT_CONFIG_DIR=$1
    "$venv/bin/placement-manage" --config-file "$1/placement.conf" db sync
}

serve() {
    cat <<'PYTHON'
"""Serve Placement; argument: the port."""

import sys

port = int(sys.argv[1])
sys.argv[1:] = []

from placement.wsgi.api import application  # noqa: E402
from werkzeug.serving import run_simple  # noqa: E402

run_simple("127.0.0.1", port, application)
PYTHON
}
