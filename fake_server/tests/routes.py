"""The routes of the Bare Metal API as the tests ask for them, for the table in the documentation.

``tools/dev routes`` runs tests with ``--record-routes FILE`` and writes the file: for each route
and dialect what it answers, since which version, and which test shows it.
"""

from __future__ import annotations

import ast
import json
import os
import re
from dataclasses import dataclass, field, replace
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import fake_server.app  # noqa: F401 - loads all controllers and tables
from fake_server.baremetal.api import handlers, routing, service
from fake_server.baremetal.drivers import registry
from fake_server.baremetal.tables import nodes
from fake_server.clock import Clock
from fake_server.common.wsgi import Request
from fake_server.db.schema import metadata
from fake_server.db.store import Store

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from fake_server.baremetal.api.context import Context
    from fake_server.common.wsgi import Response

DATA = Path(__file__).parents[2] / "doc" / "source" / "reference" / "routes.json"
REFUSED, SIMULATED, AS_IRONIC = "refused", "simulated", "as Ironic"
_METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")
_WORD = re.compile(r"[a-z_]{3,}")
#: How many successes of a route are tried in older versions.
_SAMPLES = 50


@dataclass
class Seen:
    """What was seen of a route in a dialect.

    :param since: the lowest minor version in which a request succeeded, if one did.
    :param successes: how many did.
    :param acted: in how many of them simulated hardware took part.
    :param test: one that asked for it, if possible with success.
    """

    since: int | None = None
    successes: int = 0
    acted: int = 0
    test: str = ""

    def as_json(self) -> dict[str, Any]:
        if self.since is None:
            return {"answer": REFUSED, "test": self.test}
        answer = SIMULATED if 2 * self.acted > self.successes else AS_IRONIC
        return {"answer": answer, "since": self.since, "test": self.test}


@dataclass
class Route:
    """A handler, reached by a method and the paths of a resource with so many segments."""

    paths: set[tuple[str, ...]] = field(default_factory=set)
    dialects: dict[str, Seen] = field(default_factory=dict)


class Recorder:
    """Notes the requests that all services answer."""

    def __init__(self) -> None:
        self.routes: dict[tuple[str, str, str, int], Route] = {}
        self._dispatch = service.BaremetalService._dispatch
        self._find_route = service.find_route
        self._found: list[str] = []
        self._acted = False
        self._replaying = False
        self._store = Store(metadata)

    def install(self) -> None:
        """Take part in all requests from now on."""
        recorder = self

        def dispatch(self: service.BaremetalService, request: Request, key: Any) -> Response:
            return recorder._answer(self, request, key)

        def find_route(ctx: Context) -> routing.Route:
            found = recorder._find_route(ctx)
            recorder._found = [_name(found[0], type(found[1]))]
            return found

        def read(self: registry.Driver, name: str) -> Any:
            recorder._acted |= name in registry.Driver.__slots__
            return object.__getattribute__(self, name)

        service.BaremetalService._dispatch = dispatch  # type: ignore[method-assign]
        service.find_route = find_route
        registry.Driver.__getattribute__ = read  # type: ignore[method-assign]

    def write(self, path: Path) -> None:
        """Write what was seen."""
        words = _words()
        found: dict[str, Any] = {}
        working = {
            place[0]
            for place, route in self.routes.items()
            if any(seen.successes for seen in route.dialects.values())
        }
        for place, route in sorted(self.routes.items()):
            handler, method = place[:2]
            shown = {
                dialect: seen.as_json()
                for dialect, seen in sorted(route.dialects.items())
                # A path of another form, or a wrong value, isn't a route that is refused.
                if seen.successes or handler not in working
            }
            if shown:
                name = f"{method} {_pattern(route.paths, words)}"
                entry = found.setdefault(name, {"handlers": [], "dialects": {}})
                entry["handlers"].append(handler)
                entry["dialects"] |= shown
        ordered = dict(sorted(found.items(), key=lambda item: item[0].split()[::-1]))
        lines = [f"{json.dumps(name)}: {json.dumps(entry)}" for name, entry in ordered.items()]
        path.write_text("{\n" + ",\n".join(lines) + "\n}\n")

    def _answer(self, asked: service.BaremetalService, request: Request, key: Any) -> Response:
        path = request.path.removesuffix(".json")
        segments = tuple(segment for segment in path.split("/") if segment)
        if self._replaying or request.method not in _METHODS or not asked.lab.store.in_memory:
            return self._dispatch(asked, request, key)
        before = _content(asked.lab.store)
        self._found, self._acted = [], False
        response = self._dispatch(asked, request, key)
        if self._found and (segments[:1] == ("v1",) or not segments):
            resource = segments[1] if len(segments) > 1 else ""
            place = (self._found[0], request.method, resource, len(segments))
            route = self.routes.setdefault(place, Route())
            route.paths.add(segments)
            seen = route.dialects.setdefault(asked.lab.settings.dialect, Seen())
            self._note(seen, asked, request, before, succeeded=_succeeds(response))
        return response

    def _note(
        self,
        seen: Seen,
        asked: service.BaremetalService,
        request: Request,
        before: bytes,
        *,
        succeeded: bool,
    ) -> None:
        test = os.environ.get("PYTEST_CURRENT_TEST", "").partition(" ")[0].partition("[")[0]
        if not succeeded:
            seen.test = seen.test or test
            return
        seen.successes += 1
        seen.acted += self._acted
        known = asked.lab.settings.max_minor + 1 if seen.since is None else seen.since
        if known == 1 or seen.successes > _SAMPLES:
            return
        self._replaying = True
        try:
            if seen.since is None or self._works(asked, request, before, known - 1):
                seen.since = self._since(asked, request, before, known - 1)
                seen.test = test
        finally:
            self._replaying = False

    def _since(
        self, asked: service.BaremetalService, request: Request, before: bytes, high: int
    ) -> int:
        """Return the lowest minor version in which a request that succeeded would have, too."""
        low = 1
        while low < high:
            middle = (low + high) // 2
            if self._works(asked, request, before, middle):
                high = middle
            else:
                low = middle + 1
        return low

    def _works(
        self, asked: service.BaremetalService, request: Request, before: bytes, minor: int
    ) -> bool:
        _connection(self._store).deserialize(before)
        clock = Clock("manual", start=asked.lab.clock.seconds())
        path, body = self._without_names(request)
        environ = {
            **request.environ,
            "HTTP_X_OPENSTACK_IRONIC_API_VERSION": f"1.{minor}",
            "wsgi.input": BytesIO(body),
            "CONTENT_LENGTH": str(len(body)),
        }
        again = Request(environ)
        again.restart(path)
        again.caller, again.writes = request.caller, True
        made = service.BaremetalService(replace(asked.lab, store=self._store, clock=clock))
        return _succeeds(self._dispatch(made, again, None))

    def _without_names(self, request: Request) -> tuple[str, bytes]:
        """Return path and body of a request with UUIDs, as nodes had no names at first."""
        parts = request.path.split("/")
        with self._store.transaction(write=False) as tx:
            for position, part in enumerate(parts):
                node = tx.get(nodes, name=part) if part else None
                parts[position] = part if node is None else node["uuid"]
        body = request.body
        if parts[-1] == "nodes" and body.startswith(b"{"):
            values = json.loads(body)
            values.pop("name", None)
            body = json.dumps(values).encode()
        return "/".join(parts), body


def handlers_of_code() -> set[str]:
    """Return the names of all handlers that the code has."""
    return {
        f"{controller.__name__}.{name}"
        for controller in _subclasses(routing.Controller)
        for name, method in vars(controller).items()
        if getattr(method, "exposed", False)
    }


def _name(handler: Any, controller: type) -> str:
    """Return what :func:`handlers_of_code` calls a handler."""
    return next(
        f"{owner.__name__}.{handler.name}"
        for owner in controller.__mro__
        if hasattr(vars(owner).get(handler.name), "exposed")
    )


def problems(routes: dict[str, Any]) -> Iterator[str]:
    """Yield what is wrong with recorded routes: they aren't the code's, or tests are gone."""
    recorded = {name for route in routes.values() for name in route["handlers"]}
    for name in sorted(handlers_of_code() ^ recorded):
        yield f"{name} is {'recorded, but gone' if name in recorded else 'not recorded'}"
    for route, entry in routes.items():
        for seen in entry["dialects"].values():
            path, _, name = seen["test"].partition("::")
            file = DATA.parents[3] / path
            if not file.is_file() or f"def {name.rpartition('::')[2]}(" not in file.read_text():
                yield f"{route}: there is no test {seen['test']}"


def _subclasses(kind: type) -> Iterator[type]:
    for one in kind.__subclasses__():
        yield one
        yield from _subclasses(one)


def _words() -> set[str]:
    """Return the words that the code of the handlers has: other segments are identifiers."""
    found = {"v1"}
    for path in Path(str(handlers.__file__)).parent.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                found |= {node.value} if _WORD.fullmatch(node.value) else set()
    return found


def _pattern(paths: Iterable[tuple[str, ...]], words: set[str]) -> str:
    """Return a path with braces where identifiers are."""
    columns = zip(*paths, strict=True)
    parts = [
        next(iter(found)) if len(set(found)) == 1 and set(found) <= words else "{}"
        for found in columns
    ]
    return "/" + "/".join(parts)


def _succeeds(response: Response) -> bool:
    return 200 <= response.status < 300


def _content(store: Store) -> bytes:
    return bytes(_connection(store).serialize())


def _connection(store: Store) -> Any:
    return store._driver.dbapi_connection  # type: ignore[union-attr]
