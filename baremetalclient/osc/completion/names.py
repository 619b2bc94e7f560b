"""Names of nodes and other resources for completion, fetched from the server and cached.

Completion must not make the user wait, print an error or ask for a password: what takes too long
or fails gives no names, and the server is left alone for a while.
"""

from __future__ import annotations

import hashlib
import json
import os
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from baremetalclient import _documents, exc
from baremetalclient.osc import global_options
from baremetalclient.osc.command_table import words_of
from baremetalclient.osc.files import write_whole
from baremetalclient.v1.resources import RESOURCES

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterable, Sequence

    from baremetalclient.v1.client import Client
    from baremetalclient.v1.provision_states import ProvisionVerb

LISTS = {
    **{words_of(name): name for name in RESOURCES if name != "events"},
    "candidate node": "node",
    "chassis uuid": "chassis",
    "parent node": "node",
}
"""The manager that lists the possible values of an argument, by the name of its value in help."""

TIME_LIMIT = 2.0
"""The seconds after which completion gives up."""
MAX_NUMBER = 1000
"""The maximum number of resources to fetch."""
KEPT = 120.0
"""The seconds for which names are kept."""
KEPT_OF_STATES = 5.0
"""The seconds for which names are kept that depend on the states of nodes."""
KEPT_AFTER_FAILURE = 20.0
"""The seconds for which a server that failed is left alone."""

_SECRETS = {"password", "passcode", "token", "application-credential-secret"}

_OF_VERBS = ("uuid", "name", "provision_state", "maintenance", "protected", "retired")
"""The fields of nodes that decide which verbs they accept."""

Pair = tuple[str | None, str | None]
"""A name and a UUID."""


def of_resources(
    kind: str,
    current: str,
    parser: argparse.ArgumentParser,
    words: Sequence[str],
    verb: ProvisionVerb | None = None,
) -> list[str]:
    """Return the names of resources, and UUIDs of those that have none or that are being typed.

    :param kind: a key of `LISTS`.
    :param current: the beginning of the word at the cursor.
    :param words: the words before the cursor, which hold the global options.
    :param verb: the provision verb that nodes have to accept, None for any resources.
    """
    manager = LISTS[kind]
    if verb is None:
        pairs = _cached(manager, parser, words, lambda client: _listed(client, manager))
    else:
        pairs = _cached(
            f"nodes to {verb}",
            parser,
            words,
            lambda client: _accepting(client, verb),
            kept=KEPT_OF_STATES,
        )
    found = [name or uuid for name, uuid in pairs]
    if current:
        found += [uuid for _, uuid in pairs]
    return _safe(found)


def of_traits(node: str, parser: argparse.ArgumentParser, words: Sequence[str]) -> list[str]:
    """Return the traits of a node.

    :param node: its name or UUID.
    :param words: the words before the cursor, which hold the global options.
    """

    def ask(client: Client) -> list[Pair]:
        return [(trait, None) for trait in client.node.get_traits(node, deadline=TIME_LIMIT)]

    return _safe(trait for trait, _ in _cached(f"traits of {node}", parser, words, ask))


def _safe(found: Iterable[object]) -> list[str]:
    # A server may send anything, and a shell shows and inserts what it gets. Where a name is
    # expected, a command would take one that begins with - for an option.
    texts = {text for text in found if isinstance(text, str) and text.isprintable()}
    return sorted(text for text in texts if text[:1] not in ("", "-"))


def _cached(
    what: str,
    parser: argparse.ArgumentParser,
    words: Sequence[str],
    ask: Callable[[Client], list[Pair]],
    kept: float = KEPT,
) -> list[Pair]:
    try:
        options = parser.parse_known_args(list(words))[0]
    except SystemExit:
        return []
    path = _directory() / "completion.json"
    key = _key(what, options)
    entries = _read(path)
    if key in entries:
        return [(name, uuid) for name, uuid in entries[key]["names"]]
    pairs = _answer(ask, options)
    until = time.time() + (KEPT_AFTER_FAILURE if pairs is None else kept)
    entries[key] = {"until": until, "names": pairs or []}
    _write(path, entries)
    return pairs or []


def _answer(ask: Callable[[Client], list[Pair]], options: argparse.Namespace) -> list[Pair] | None:
    """Return the names and the UUIDs, None if the server does not answer in time."""
    answer: list[list[Pair]] = []
    options.timeout, options.max_retries = TIME_LIMIT, 0

    def run() -> None:
        try:
            answer.append(ask(global_options.make_client(options)))
        except BaseException:
            return

    # A daemon, since looking up a name of a host cannot be interrupted.
    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(TIME_LIMIT)
    return answer[0] if answer else None


def _accepting(client: Client, verb: ProvisionVerb) -> list[Pair]:
    """Return the nodes that accept a verb in their present states."""
    from baremetalclient.v1.provision_states import possible_verbs

    version = client.http_client.version(deadline=TIME_LIMIT)
    known = client.node.resource_type.by_name
    fields = [name for name in _OF_VERBS if known[name].since <= version]
    nodes = client.node.list(limit=MAX_NUMBER, fields=fields, deadline=TIME_LIMIT)
    found = [node.to_dict() for node in nodes]
    return [
        (node.get("name"), node.get("uuid"))
        for node in found
        if verb in possible_verbs(node, version)
    ]


def _listed(client: Client, manager: str) -> list[Pair]:
    lister = getattr(client, manager)
    known = lister.resource_type.by_name
    wanted: dict[str, Any] = {}
    if manager not in ("shard", "driver"):
        wanted = {
            "limit": MAX_NUMBER,
            "fields": [name for name in ("uuid", "name", "hostname") if name in known],
        }
    found = [item.to_dict() for item in lister.list(**wanted, deadline=TIME_LIMIT)]
    return [(item.get("name") or item.get("hostname"), item.get("uuid")) for item in found]


def _directory() -> Path:
    base = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    # Unlike the method of Path, this leaves a user as it is whom nobody knows.
    return Path(os.path.expanduser(base)) / "baremetalclient"


def _key(what: str, options: argparse.Namespace) -> str:
    """Return a cache key of the cloud and the user, without secrets."""
    known = sorted({*global_options.SERVICE, *global_options.AUTHENTICATION} - _SECRETS)
    identity = []
    for name in known:
        field = f"os_{name.replace('-', '_')}"
        identity.append(getattr(options, field, None) or os.environ.get(field.upper()))
    text = json.dumps([what, *identity])
    return hashlib.sha256(text.encode()).hexdigest()


def _read(path: Path) -> dict[str, Any]:
    """Return the entries that are not too old; what cannot be read is empty."""
    try:
        entries = _documents.from_json(path.read_bytes())
        now = time.time()
        return {
            key: entry
            for key, entry in entries.items()
            if now < entry["until"] <= now + KEPT and all(len(pair) == 2 for pair in entry["names"])
        }
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return {}


def _write(path: Path, entries: dict[str, Any]) -> None:
    """Replace the file at once; only its owner can read it, even if others could before."""
    with suppress(OSError, exc.CommandError):
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        path.parent.chmod(0o700)
        with suppress(FileNotFoundError):
            path.chmod(0o600)
        write_whole(path, json.dumps(entries), mode=0o600)
