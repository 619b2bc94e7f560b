"""What faults can match: the nodes, steps and paths that there are, and what isn't among them."""

from __future__ import annotations

import itertools
import re
from fnmatch import fnmatchcase
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from fake_server.baremetal import errors
from fake_server.baremetal.agents.simulated import SimulatedAgent
from fake_server.baremetal.api.context import Context
from fake_server.baremetal.api.handlers import nodes, root
from fake_server.baremetal.api.policies import POLICIES
from fake_server.baremetal.conductor import steps
from fake_server.baremetal.conductor.task import Task
from fake_server.baremetal.models.nodes import NODES
from fake_server.baremetal.tables import nodes as table
from fake_server.common.suggestion import nearest
from fake_server.common.wsgi import Request
from fake_server.control.fault import FLOWS, plain
from fake_server.control.services import SERVICES, addresses

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Set

    from fake_server.baremetal.session import Session
    from fake_server.db.store import Record

_VOLUME = ("connectors", "targets")
#: A path of the API that is below one node, with its name or UUID.
_NAMED = re.compile(r"(?:/v1)?/nodes/([^/*?\[]+)(?=/|$)")
_PLACEHOLDER = re.compile(r"\{\w+\*?\}")
_METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
#: The methods that not each path has, and what answers another one of them.
_CHECKED = ("GET", "POST", "PUT", "PATCH", "DELETE")
_ALIKE = {"HEAD": "GET"}
#: How many nodes are asked for their steps, and how many steps a message lists at most.
_ASKED, _LISTED = 100, 8


def reasons(session: Session, match: Mapping[str, Any]) -> list[str]:
    """Return a sentence for each part of what a fault matches that is met by nothing now.

    :param match: as in :class:`~fake_server.control.fault.Fault`.
    """
    return list(_reasons(session, match))


def unknown(session: Session, nodes: Iterable[str]) -> list[str]:
    """Return a sentence for each name or UUID that no node has now."""
    return [_of_node(session, ident) for ident in nodes if not _nodes(session, ident)]


def choices(session: Session) -> dict[str, list[str]]:
    """Return the ``nodes``, ``steps`` and ``paths`` of Ironic that a fault can be for now."""
    found = _nodes(session, None)
    known = {step for node in found for flow in FLOWS for step in _steps(session, node, flow)}
    return {
        "nodes": [node["name"] or node["uuid"] for node in found],
        "steps": sorted(known),
        "paths": sorted({path for path in _addresses_of_ironic() if path.startswith("/v1")}),
    }


def _reasons(session: Session, match: Mapping[str, Any]) -> Iterator[str]:
    if (method := str(match.get("method", "GET")).upper()) not in _METHODS:
        yield f"No service takes the method {method}{_nearest(method, _METHODS)}."
    if "path" in match and (reason := _of_path(session, match["path"], match.get("method"))):
        yield reason
    elif (named := _NAMED.match(plain(match.get("path", "")))) and _is_missing(session, named[1]):
        yield _of_node(session, named[1])
    found = _nodes(session, match.get("node"))
    if "node" in match and not found:
        yield _of_node(session, match["node"])
    elif "step" in match and (reason := _of_step(session, found, match)):
        yield reason


def _of_node(session: Session, ident: str) -> str:
    names = [name for row in _nodes(session, None) for name in (row["name"], row["uuid"])]
    return f"No node is called {ident!r} yet{_nearest(ident, names)}."


def _is_missing(session: Session, ident: str) -> bool:
    return f"/v1/nodes/{ident}" not in _addresses_of_ironic() and not _nodes(session, ident)


def _of_path(session: Session, pattern: str, method: str | None) -> str | None:
    if any(character in pattern for character in "?["):
        return None
    known = _addresses(pattern)
    met = [address for address in known if _meet(plain(pattern), address)]
    if not met:
        return f"No service has the path {pattern}{_nearest(pattern, known)}."
    asked = _ALIKE.get(str(method).upper(), str(method).upper())
    if asked not in _CHECKED or any(asked in _methods(session, address) for address in met):
        return None
    taken = sorted(set().union(*(_methods(session, address) for address in met)))
    return f"Nothing answers {str(method).upper()} at {pattern}, only {', '.join(taken)}."


def _methods(session: Session, address: str) -> Iterable[str]:
    """Return the methods that an address is for, of those that are checked."""
    service = address.split("/")[1]
    if service in SERVICES:
        return _addresses_of_service(service)[address]
    context = Context(Request({"REQUEST_METHOD": "GET", "PATH_INFO": "/"}), session, "", POLICIES)
    path = address.replace("*", "x")
    return [method for method in _CHECKED if root.takes(context, method, path)]


def _addresses(pattern: str) -> Iterable[str]:
    """Return the addresses of the service that a pattern names, or may name."""
    first, slash, _ = pattern.removeprefix("/").partition("/")
    if "*" in first:
        beside = [address for name in SERVICES for address in _addresses_of_service(name)]
        return [*_addresses_of_ironic(), *beside]
    if first not in SERVICES:
        return _addresses_of_ironic()
    return _addresses_of_service(first) if slash else [f"/{first}"]


@cache
def _addresses_of_ironic() -> tuple[str, ...]:
    found = [
        "/",
        "/v1",
        "/v1/portgroups/*/ports",
        "/v1/runbooks/*/traits",
        "/v1/runbooks/*/traits/*",
    ]
    found += [f"/v1/{name}/{kind}" for name in ("volume", "nodes/*/volume") for kind in _VOLUME]
    found += [f"/v1/volume/{kind}/*" for kind in _VOLUME]
    for name, (controller, _) in root.RESOURCES.items():
        found += _below(controller, f"/v1/{name}", one="/*")
    for name, (below, _) in nodes.BELOW_ONE_NODE.items():
        found += _below(below, f"/v1/nodes/*/{name}")
    # The version may be left out.
    return (*found, *(address.removeprefix("/v1") for address in found if address != "/v1"))


def _below(controller: Any, path: str, *, one: str = "") -> Iterator[str]:
    """Yield the addresses that a controller may answer.

    :param one: what names one of its resources, below which its children are.
    """
    yield from (path, f"{path}/*")
    for name in (name for name, one in controller.handlers().items() if one.action):
        yield from (f"{path}/{name}", f"{path}{one}/{name}")
    for name, child in controller.children.items():
        yield from _below(child, f"{path}{one}/{name}")


@cache
def _addresses_of_service(name: str) -> Mapping[str, Set[str]]:
    found: dict[str, Set[str]] = {f"/{name}{rest}": {"GET"} for rest in ("", "/", "/v*")}
    for address, methods in addresses(name).items():
        for kind in _collections() if "{kind}" in address else [""]:
            rest = _PLACEHOLDER.sub("*", address.replace("{kind}", kind))
            # The version and, in some, a project come before it.
            for path in (f"/{name}{before}{rest}" for before in ("", "/v*", "/v*/*")):
                found[path] = methods | found.get(path, frozenset())
    return found


def _collections() -> Iterable[str]:
    """Return what ``{kind}`` stands for in Neutron's addresses."""
    found: Mapping[str, Any] = import_module("fake_server.networking.kinds").KINDS
    return found.keys()


def _meet(pattern: str, address: str) -> bool:
    """Return whether some path matches a pattern and an address.

    In the pattern ``*`` stands for any characters, in the address for those of one segment.
    """
    reached = _past_stars({0}, address)
    for character in pattern:
        if character == "*":
            reached = set(range(min(reached), len(address) + 1))
        else:
            following = {at: address[at : at + 1] for at in reached}
            stay = {at for at, here in following.items() if here == "*" and character != "/"}
            reached = stay | {at + 1 for at, here in following.items() if here == character}
        if not reached:
            return False
        reached = _past_stars(reached, address)
    return len(address) in reached


def _past_stars(places: set[int], address: str) -> set[int]:
    return places | {at + 1 for at in places if address[at : at + 1] == "*"}


def _nodes(session: Session, ident: str | None) -> list[Record]:
    """Return a node by its UUID or name, or the first nodes."""
    query = sa.select(table.c.id).order_by(table.c.id).limit(_ASKED)
    if ident is not None:
        query = query.where(sa.or_(table.c.uuid == ident, table.c.name == ident))
    return [NODES.get_by_id(session, row["id"]) for row in session.tx.all(query)]


def _of_step(session: Session, found: Iterable[Record], match: Mapping[str, Any]) -> str | None:
    flows = [match["flow"]] if "flow" in match else FLOWS
    known = {step for node in found for flow in flows for step in _steps(session, node, flow)}
    if (
        not known
        or session.settings.agent == "external"
        or any(fnmatchcase(step, match["step"]) for step in known)
    ):
        return None
    flow = f"of {match['flow']} " if "flow" in match else ""
    node = f"the node {match['node']}" if "node" in match else "any node"
    listed = ", ".join(sorted(known)[:_LISTED])
    near = _nearest(match["step"], known) or f"; there are {listed}"
    return f"No step {flow}of {node} is called {match['step']!r}{near}."


def _steps(session: Session, node: Record, flow: str) -> list[str]:
    task = Task(session, node, shared=True)
    try:
        found = steps.of_node(task, flow, enabled=False)
        agent = SimulatedAgent(task) if task.driver.deploy.boots_agent else None
    except errors.ApiError:
        return []  # its interfaces aren't enabled
    # Before its first boot, nobody knows what the agent offers.
    asked = agent.get_steps(flow)["command_result"] if agent else {}
    return [
        steps.identify(step)
        for step in itertools.chain(found, *asked.get(f"{flow}_steps", {}).values())
    ]


def _nearest(word: str, known: Iterable[str | None]) -> str:
    near = nearest(word, [name for name in known if name])
    return f" (did you mean {near}?)" if near else ""
