#!/bin/sh
# Enrols a node and makes it available: "right", or with the bug that the argument names.
set -eu
bug=$1

# Send METHOD PATH [BODY] once; print the body, and note the status in $status.
send() {
    status=$(curl --silent --output answer --write-out '%{http_code}' --request "$1" \
        --header 'X-OpenStack-Ironic-API-Version: 1.90' --header 'Content-Type: application/json' \
        ${3:+--data "$3"} "$OS_ENDPOINT/v1/$2") || status=000
}

# The same, again as long as the answer is lost or says so.
ask() {
    for _ in 1 2 3 4 5; do
        send "$@"
        case $status in 000 | 409 | 429 | 5*) ;; *) return ;; esac
    done
}

fail() {
    echo "$1: $status" >&2
    exit 1
}

state() {
    ask GET nodes/rack1
    [ "$status" = 200 ] || fail "no node"
    sed 's/.*"provision_state": "\([^"]*\)".*/\1/' answer
}

# Ask for VERB, and wait for STATE.
move() {
    ask PUT nodes/rack1/states/provision "{\"target\": \"$1\"}"
    if [ "$bug" = first-state ]; then
        state >/dev/null
        return
    fi
    for _ in 1 2 3 4 5 6 7 8 9 10; do
        [ "$(state)" != "$2" ] || return 0
    done
    fail "not $2"
}

node='{"name": "rack1", "driver": "fake-hardware"}'
case $bug in
second-node)
    ask GET nodes
    grep -q uuid answer || ask POST nodes '{"driver": "fake-hardware"}'
    exit
    ;;
not-again)
    send POST nodes "$node"
    [ "$status" = 201 ] || fail "not made"
    ;;
*)
    ask GET nodes/rack1
    [ "$status" = 200 ] || ask POST nodes "$node"
    ;;
esac

if [ "$bug" = ignores-conflicts ]; then
    send PUT nodes/rack1/traits/CUSTOM_GOLD
else
    ask PUT nodes/rack1/traits/CUSTOM_GOLD
    [ "$status" = 204 ] || fail "no trait"
fi

case $(state) in enroll | "clean failed") move manage manageable ;; esac
case $(state) in manageable) move provide available ;; esac
[ "$bug" = first-state ] || [ "$(state)" = available ] || fail "not available"
