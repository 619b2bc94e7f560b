"""The facts about a node, fetched with one request for each kind of resource."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

from baremetalclient import exc
from baremetalclient._bulk.kinds import has_failed
from baremetalclient._bulk.runner import run
from baremetalclient._resource.resource import Fields
from baremetalclient.v1.conductor import ConductorManager
from baremetalclient.v1.driver import DriverManager
from baremetalclient.v1.explain.finding import ShellCommand, Word, command
from baremetalclient.v1.provision_states import find_state, possible_verbs

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from baremetalclient._resource.resource import Item
    from baremetalclient.microversion import Version
    from baremetalclient.v1.provision_states import ProvisionState

LONG = timedelta(minutes=30)
"""The time that a node waits for its ramdisk by Ironic's defaults."""
_AT_ONCE = timedelta(seconds=30)
"""The time within which Ironic notes a heartbeat in both of its places."""

_NO_CONDUCTOR = "No valid host was found"
_PLAIN_NAME = re.compile(r"[a-z0-9][a-z0-9._-]*")


@dataclass(frozen=True)
class Facts:
    """The facts about a node; None for those that could not be fetched.

    :param newest: the newest version that the server offers, if known.
    :param errors: why something could not be fetched, by its name in messages.
    """

    node: Item
    version: Version
    newest: Version | None = None
    validation: Mapping[str, Item] | None = None
    ports: Sequence[Item] | None = None
    portgroups: Sequence[Item] | None = None
    connectors: Sequence[Item] | None = None
    targets: Sequence[Item] | None = None
    vifs: Sequence[Item] | None = None
    history: Sequence[Item] | None = None
    conductors: Sequence[Item] | None = None
    properties: Item | None = None
    errors: Mapping[str, exc.ClientException] = field(default_factory=dict)

    @property
    def state(self) -> ProvisionState:
        """The provision state."""
        # Before version 1.2, that of an available node is null.
        state: ProvisionState = self.node["provision_state"] or "available"
        return state

    @property
    def ident(self) -> str:
        """The name or UUID of the node in commands."""
        return self.called(self.node)

    def called(self, item: Item) -> str:
        """Return what commands call a resource: its UUID if it has no name that can't be misread.

        :param item: the node, or a port.
        """
        name: str = item.get("name") or ""
        uuid: str = item["uuid"]
        return name if _PLAIN_NAME.fullmatch(name) else uuid

    @property
    def has_conductor(self) -> bool:
        """Whether there is a conductor for the node, as far as is known."""
        # Ironic looks the conductor up among those alive.
        return self.node.get("conductor", "") is not None and self.refusal is None

    @property
    def refusal(self) -> str | None:
        """Ironic's message that there is no conductor, for versions without the field."""
        error = self.errors.get("validation")
        no_conductor = isinstance(error, exc.ServiceUnavailable) or _NO_CONDUCTOR in str(error)
        return str(error) if no_conductor else None

    @property
    def is_free(self) -> bool:
        """Whether the node can be changed: it is not locked, and there is a conductor for it."""
        return not self.node.get("reservation") and self.has_conductor

    @cached_property
    def verbs(self) -> tuple[str, ...]:
        """The provision verbs that the node accepts now."""
        return possible_verbs(self.node, self.version) if self.is_free else ()

    @cached_property
    def now(self) -> datetime:
        """The time on the server, as the last sign of life of a conductor tells it."""
        signs = [
            time
            for conductor in self.conductors or ()
            if conductor.get("alive") and (time := moment(conductor.get("updated_at")))
        ]
        return max(signs, default=datetime.now(UTC))

    @property
    def since(self) -> datetime | None:
        """When the node came into its state, or sent its last heartbeat there, if that is known."""
        fields = ("provision_updated_at", "updated_at", "created_at")
        times = (moment(self.node.get(name)) for name in fields)
        return next((time for time in times if time is not None), None)

    @property
    def heartbeat(self) -> datetime | None:
        """When the ramdisk that the node waits for sent its last heartbeat, None for never."""
        if find_state(self.state).kind != "waiting":
            return None
        internal = self.node.get("driver_internal_info") or {}
        time, since = moment(internal.get("agent_last_heartbeat")), self.since
        # A heartbeat restarts the wait; one before that is of an earlier operation.
        return time if time and since and time > since - _AT_ONCE else None

    @property
    def step(self) -> str | None:
        """The step that Ironic takes, such as ``deploy.erase_devices``."""
        for name in ("clean_step", "deploy_step", "service_step"):
            step = self.node.get(name) or {}
            if step.get("step"):
                return ".".join(filter(None, (step.get("interface"), step["step"])))
        return None

    def age(self, time: datetime | None) -> timedelta | None:
        """Return how long ago a moment was, None if it is not known."""
        return None if time is None else max(self.now - time, timedelta())

    @cached_property
    def errors_in_history(self) -> list[Item]:
        """The errors in the history, the newest first."""
        # Of those of the same moment, the server lists the newest last.
        errors = [one for one in reversed(self.history or ()) if one.get("severity") == "ERROR"]
        return sorted(errors, key=lambda one: str(one.get("created_at")), reverse=True)

    @property
    def cause(self) -> Item | None:
        """The error in the history with which the last failure began."""
        errors, last_error = self.errors_in_history, self.node.get("last_error")
        # What is not in the history is newer than all that is.
        if last_error and (not errors or errors[0].get("event") != last_error):
            return None
        # What happened in the state after a failure followed from it.
        began = (one for one in errors if not has_failed(one.get("state")))
        return next(began, next(iter(errors), None))

    def invalid(self, *interfaces: str) -> bool:
        """Return whether the validation of one of some interfaces failed."""
        results = self.validation or {}
        return any(results.get(name, {}).get("result") is False for name in interfaces)

    def change(self, *words: Word, accepted: bool = True) -> ShellCommand:
        """Return a command that changes something.

        :param words: what follows ``baremetal``, not yet quoted for a shell.
        :param accepted: whether the server accepts it when the node can be changed.
        """
        return command(*words, accepted=accepted and self.is_free)

    def request(self, verb: str, *, needs: Sequence[str] = ()) -> ShellCommand:
        """Return the command for a provision verb.

        :param needs: the interfaces that have to be valid for it to be of use.
        :returns: the command; if the node has to leave maintenance first, that precedes it.
        """
        accepted = verb in self.verbs and not self.invalid(*needs)
        made = self.change("node", verb, self.ident, accepted=accepted)
        outside = {**self.node, "maintenance": False}
        if verb in possible_verbs(self.node, self.version):
            return made
        if verb in possible_verbs(outside, self.version):
            return self.change("node", "maintenance", "unset", self.ident).then(made)
        return made


def gather(nodes: Any, ident: object, call: Mapping[str, Any]) -> Facts:
    """Fetch the node, and then all else at once.

    :param ident: the UUID or name of the node, not yet checked.
    :raises NotFound: if the node does not exist.
    """
    deadline = nodes.http.start_deadline(call.get("deadline"))
    call = {**call, "deadline": deadline}
    node = Fields(nodes._get(ident, **call))
    version = nodes.http.version(call.get("os_ironic_api_version"), deadline)
    newest = nodes.http.server_range()[1] if nodes.http.knows_server_range else None
    facts = Facts(node, version, newest)
    fetch = _parts(nodes, node, call, with_conductor=facts.has_conductor)
    found: dict[str, Any] = {}
    errors: dict[str, exc.ClientException] = {}
    for outcome in run(fetch, lambda name: fetch[name](), parallel=len(fetch), reads=True):
        if outcome.error is None:
            found[outcome.item] = outcome.value
        elif isinstance(outcome.error, exc.UnsupportedVersion | exc.HttpError):
            errors[outcome.item] = outcome.error
        else:
            raise outcome.error
    in_order = {name: errors[name] for name in fetch if name in errors}
    return Facts(node, version, newest, **found, errors=in_order)


def _parts(
    nodes: Any, node: Item, call: Mapping[str, Any], *, with_conductor: bool
) -> dict[str, Callable[[], Any]]:
    """Return functions that fetch the facts, by name.

    :param with_conductor: whether to include what only a conductor knows.
    """
    uuid = node["uuid"]

    def listed(fetch: Callable[..., Sequence[Any]], *arguments: str) -> Callable[[], Any]:
        return lambda: [Fields(item) for item in fetch(*arguments, detail=True, limit=0, **call)]

    parts: dict[str, Callable[[], Any]] = {
        "ports": listed(nodes.list_ports, uuid),
        "portgroups": listed(nodes.list_portgroups, uuid),
        "connectors": listed(nodes.list_volume_connectors, uuid),
        "targets": listed(nodes.list_volume_targets, uuid),
        "history": partial(nodes.get_history_list, uuid, detail=True, **call),
        "conductors": listed(ConductorManager(nodes.http).list),
    }
    if with_conductor:
        parts["validation"] = lambda: nodes.validate(uuid, **call).to_dict()
        drivers = DriverManager(nodes.http)
        if node.get("driver"):
            parts["properties"] = lambda: drivers.properties(node["driver"], **call)
        parts["vifs"] = lambda: [vif.to_dict() for vif in nodes.vif_list(uuid, **call)]
    return parts


def moment(text: Any) -> datetime | None:
    """Parse a time of the API; return None if there is none."""
    try:
        found = datetime.fromisoformat(text)
    except (TypeError, ValueError):
        return None
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def in_words(age: timedelta) -> str:
    """Return a time in words, such as ``12 minutes``."""
    seconds = int(age.total_seconds())
    for unit, length in (("day", 86400), ("hour", 3600), ("minute", 60), ("second", 1)):
        number = seconds // length
        if number > 1 or (number == 1 and unit == "second"):
            return f"{number} {unit}{'' if number == 1 else 's'}"
    return "a moment"


def ago(age: timedelta) -> str:
    """Return how long ago something was, such as ``12 minutes ago``."""
    return f"{in_words(age)} ago"
