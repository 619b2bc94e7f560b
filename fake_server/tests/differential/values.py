"""What the random requests are made of, by ``values.yaml``: mostly right, sometimes wrong."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any
from urllib.parse import quote

import yaml
from hypothesis import strategies as st

from fake_server.baremetal.hardware_types import KINDS
from fake_server.tests.differential.pair import Request


def _read() -> Any:
    """Return the tables, with the long texts written out."""
    text = Path(__file__).with_name("values.yaml").read_text("utf-8")
    return yaml.safe_load(
        re.sub(r"\b([ax]) \* (\d+)", lambda found: found[1] * int(found[2]), text)
    )


_TABLES = _read()
RESOURCES = _TABLES["kinds"]
RESOURCES["nodes"]["fields"] |= {
    f"{kind}_interface": _TABLES["shared"]["interfaces"] for kind in KINDS
}
NODES, VERBS, OBJECTS = _TABLES["nodes"], _TABLES["verbs"], _TABLES["shared"]["objects"]
_WRONG = st.sampled_from(_TABLES["wrong"])
#: What is never left out.
_ALWAYS = {"candidate_nodes", "conditions"}
VERSIONS = st.one_of(
    st.just("1.115"),
    st.just("1.115"),
    st.integers(1, 115).map(lambda minor: f"1.{minor}"),
    st.sampled_from([None, "latest", "1.0", "1.116", "2.0", "banana", "1"]),
)


def bodies(draw: st.DrawFn, kind: str) -> dict[str, Any]:
    """Return a body to create a resource: what it needs, and up to three fields more."""
    fields, body = RESOURCES[kind]["fields"], dict(RESOURCES[kind]["required"])
    removable = sorted(body.keys() - _ALWAYS)
    if draw(st.integers(0, 9)) == 0 and removable:
        del body[draw(st.sampled_from(removable))]
    for name in draw(st.lists(st.sampled_from(sorted(fields)), max_size=3, unique=True)):
        values = [st.sampled_from(fields[name])] * 2
        # With a UUID that is none, an allocation can't be deleted from Ironic any more.
        if (kind, name) != ("allocations", "uuid"):
            values.append(_WRONG)
        body[name] = draw(st.one_of(*values))
    return body


def patches(draw: st.DrawFn, kind: str) -> Any:
    """Return a JSON patch, or something that is none."""
    if draw(st.integers(0, 19)) == 0:
        return draw(_WRONG)
    return [_operation(draw, kind) for _ in range(draw(st.integers(1, 2)))]


def _operation(draw: st.DrawFn, kind: str) -> dict[str, Any]:
    fields = RESOURCES[kind]["fields"]
    name = draw(st.sampled_from([*sorted(fields), *_TABLES["read_only"]]))
    below = draw(st.sampled_from(["", "", "", "/a", "/a/b", "/-", "/"]))
    operation = {
        "op": draw(st.sampled_from(["add", "replace", "replace", "remove", "test", "bogus"])),
        "path": draw(st.sampled_from(["/", "/", "/", "/", "/", ""])) + name + below,
    }
    if operation["op"] != "remove" or draw(st.integers(0, 4)) == 0:
        usual = st.sampled_from(fields.get(name, _TABLES["wrong"]))
        operation["value"] = draw(st.one_of(usual, usual, _WRONG))
    return operation


def queries(draw: st.DrawFn, kind: str) -> str:
    """Return the query of a list."""
    names = [*sorted(RESOURCES[kind]["fields"]), *_TABLES["read_only"]]
    parameters: dict[str, st.SearchStrategy[str]] = {
        **{name: st.sampled_from(values) for name, values in _TABLES["queries"].items()},
        "fields": st.lists(st.sampled_from(names), min_size=1, max_size=3).map(",".join),
        "sort_key": st.sampled_from(names),
    }
    some = st.one_of(st.sampled_from(_TABLES["common"]), st.sampled_from(sorted(parameters)))
    chosen = draw(st.lists(some, max_size=3, unique=True))
    return "&".join(f"{name}={draw(parameters[name])}" for name in chosen)


def others(draw: st.DrawFn, version: str | None) -> Request:
    """Return a request for other things than a resource, one of the table."""
    found = draw(st.sampled_from(_TABLES["requests"]))
    path = found.get("below", "") + draw(st.sampled_from(found["paths"]))
    path = path.replace("NODE", draw(st.sampled_from(NODES)))
    path = path.replace("TRAIT", quote(draw(st.sampled_from(_TABLES["traits"]))))
    method = draw(st.sampled_from(found["methods"]))
    takes_body = method in ("POST", "PUT", "PATCH") and "bodies" in found
    body = draw(st.sampled_from(found["bodies"])) if takes_body else None
    return Request(method, path, version, body)
