#!/bin/sh
# Deploys a node by hand, ten minutes of the server's time in a moment of ours:
#   baremetal-fake-server exec -- ./with-curl.sh
set -eu
ctl() { baremetal-fake-server ctl "$@" >/dev/null; }
ironic() {
    method=$1 path=$2 body=${3-}
    curl -sS --fail -X "$method" -H 'X-OpenStack-Ironic-API-Version: 1.80' \
        -H 'Content-Type: application/json' ${body:+-d "$body"} "$OS_ENDPOINT/v1/$path"
}
state() { ironic GET 'nodes/node-1?fields=provision_state' | sed 's/.*"provision_state": "\([^"]*\)".*/\1/'; }

ctl clock manual
ctl delays set deploying=600
ironic POST nodes '{"driver": "fake-hardware", "name": "node-1"}' >/dev/null
for verb in manage provide active; do
    ironic PUT nodes/node-1/states/provision "{\"target\": \"$verb\"}"
done
echo "After no time: $(state)"
ctl clock advance 600
echo "After ten minutes: $(state)"
