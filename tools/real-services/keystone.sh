# shellcheck shell=bash
# Keystone. Its administrator is "admin" with the password "secret".
distribution=keystone version=30.0.0
# Some of its dependencies still import pkg_resources.
packages=("setuptools<81")
answers=/v3 record_with=fake_server/tests/identity/keystone

configure() {
    mkdir "$1/fernet" "$1/credential"
    cat > "$1/keystone.conf" <<CONF
[DEFAULT]
log_file = $1/log
[database]
connection = sqlite:///$1/keystone.sqlite
[fernet_tokens]
key_repository = $1/fernet
[fernet_receipts]
key_repository = $1/fernet
[credential]
key_repository = $1/credential
CONF
}

prepare() {
    export OS_KEYSTONE_CONFIG_DIR=$1
    local manage=("$venv/bin/keystone-manage" --config-file "$1/keystone.conf")
    local owner=(--keystone-user "$(id -un)" --keystone-group "$(id -gn)")
    "${manage[@]}" db_sync
    "${manage[@]}" fernet_setup "${owner[@]}"
    "${manage[@]}" credential_setup "${owner[@]}"
    "${manage[@]}" bootstrap --bootstrap-password secret --bootstrap-region-id RegionOne \
        --bootstrap-public-url "$2/v3" --bootstrap-internal-url "$2/v3" \
        --bootstrap-admin-url "$2/v3"
}

serve() {
    cat <<'PYTHON'
"""Serve Keystone; argument: the port."""

import sys

port = int(sys.argv[1])
sys.argv[1:] = []

from keystone.server.wsgi import initialize_public_application  # noqa: E402
from werkzeug.serving import run_simple  # noqa: E402

run_simple("127.0.0.1", port, initialize_public_application(), threaded=True)
PYTHON
}
