"""What the controls take and answer, as schemas of OpenAPI 3.0."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from fake_server.baremetal.models import machines
from fake_server.clock import MODES
from fake_server.control import fault, overview
from fake_server.control.resources import COLLECTIONS
from fake_server.seeds import schema, services

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fake_server.common.schemas import Schema

_TEXT = {"type": "string"}
_NUMBER = {"type": "number"}
_INTEGER = {"type": "integer"}
_FLAG = {"type": "boolean"}
_OBJECT = {"type": "object", "additionalProperties": True}
_TEXTS = {"type": "object", "additionalProperties": _TEXT}
#: Seconds, or a text that says from what they are drawn.
_TIMING: Schema = {"type": ["number", "string"]}
_TIMINGS = {"type": "object", "additionalProperties": _TIMING}
_TIME = {"type": "string", "format": "date-time"}
#: JSON's names of Python's types.
_NAMES: Mapping[Any, Schema] = {
    str: _TEXT,
    int: _INTEGER,
    (int, float): _NUMBER,
    dict: _TEXTS,
    bool: _FLAG,
}


def reference(name: str) -> Schema:
    """Return what stands for a schema in another one."""
    return {"$ref": f"#/components/schemas/{name}"}


def dialect(found: Any) -> Any:
    """Return a JSON schema as OpenAPI 3.0 has it: null is no type, and no value of its own."""
    if isinstance(found, list | tuple):
        return [dialect(item) for item in found]
    if not isinstance(found, Mapping):
        return found
    made = {name: dialect(value) for name, value in found.items()}
    if isinstance(made.get("type"), list):
        made |= {"type": made["type"][0], "nullable": True}
    if isinstance(made.get("enum"), list):
        made = {"type": "string", "nullable": None in made["enum"], **made}
    if made.get("required") == []:
        del made["required"]
    return made


def _object(properties: Schema, *required: str) -> Schema:
    return {
        "type": "object",
        "properties": properties,
        "required": list(required),
        "additionalProperties": False,
    }


def _record(**properties: Schema) -> Schema:
    """Return the schema of an object with all of these properties."""
    return _object(properties, *properties)


def _list(item: Schema) -> Schema:
    return {"type": "array", "items": item}


def _or_null(schema: Schema) -> Schema:
    return {**schema, "nullable": True}


def _of_types(*tables: Mapping[str, Any]) -> Schema:
    return _object({name: _NAMES[kind] for table in tables for name, kind in table.items()})


def _any(names: Iterable[str]) -> Schema:
    """Return the schema of an object with some of these names, whatever their values."""
    return _object({name: {} for name in names})


_CLOCK: dict[str, Schema] = {"mode": {"enum": list(MODES)}, "factor": _NUMBER, "now": _NUMBER}
_DELAYS: dict[str, Schema] = {
    "default": _TIMING,
    "transitions": _TIMINGS,
    "nodes": {"type": "object", "additionalProperties": _TIMINGS},
    "seed": _INTEGER,
    "names": _list(_TEXT),
}
_CONDUCTOR: dict[str, Schema] = {
    "hostname": _TEXT,
    "conductor_group": _TEXT,
    "drivers": _list(_TEXT),
    "alive": _FLAG,
}
_DUE = _object({"what": _TEXT, "seconds": _NUMBER})
_FAULT: dict[str, Schema] = {
    "id": _INTEGER,
    "match": reference("Match"),
    "do": reference("Action"),
    "times": _or_null(_INTEGER),
    "until": _or_null(_NUMBER),
    "seen": _INTEGER,
    "done": _INTEGER,
}
_NODE: dict[str, Schema] = {
    **dict.fromkeys(overview.SHOWN, _or_null(_TEXT)),
    "uuid": _TEXT,
    "maintenance": _FLAG,
}

SCHEMAS: Mapping[str, Schema] = {
    "Description": _OBJECT,
    "Error": _record(error=_TEXT),
    "Health": _object(
        {
            "ready": _FLAG,
            "database": {"enum": ["reachable", "unreachable"]},
            "error": _TEXT,
        },
        "ready",
        "database",
    ),
    "Clock": _record(**_CLOCK, modes=_list(_TEXT)),
    "ClockChange": _object({**_CLOCK, "now": _or_null(_NUMBER)}),
    "Advance": _record(seconds=_NUMBER),
    "Delays": _record(**_DELAYS),
    "SetDelays": _record(**_DELAYS, warnings=_list(_TEXT)),
    "NewDelays": _object(_DELAYS),
    "Match": _of_types(fault.OF_REQUESTS, fault.OF_STEPS),
    "Action": _of_types(fault.DONE_TO_REQUESTS, fault.DONE_TO_STEPS),
    "NewFault": _object(
        {
            "match": reference("Match"),
            "do": reference("Action"),
            "times": _or_null(_INTEGER),
            "seconds": _or_null(_NUMBER),
            "strict": _FLAG,
        }
    ),
    "Fault": _record(**_FAULT),
    "AddedFault": _record(**_FAULT, warnings=_list(_TEXT)),
    "Faults": _record(faults=_list(reference("Fault"))),
    "NewSweep": _object(
        {
            "name": _TEXT,
            "kinds": _list(_TEXT),
            "routes": _list(_TEXT),
            "limit": _INTEGER,
            "timeout": _NUMBER,
            "seed": _INTEGER,
            "allow": _list(_TEXT),
        }
    ),
    "EndedRun": _object({"exit": _or_null(_INTEGER), "output": _TEXT}, "exit"),
    "Sweep": _object(
        {
            "run": _or_null(_record(number=_INTEGER, fresh=_FLAG, seconds=_NUMBER)),
            "findings": _list(_OBJECT),
            "results": _OBJECT,
        },
        "run",
    ),
    "Choices": _record(nodes=_list(_TEXT), steps=_list(_TEXT), paths=_list(_TEXT)),
    "Conductor": _record(**_CONDUCTOR),
    "ConductorChange": _object({"alive": _FLAG}),
    "Conductors": _record(conductors=_list(reference("Conductor"))),
    "Machine": _record(**machines.FIELDS),
    "MachineChange": _object(machines.FIELDS),
    "NodeChange": _any(COLLECTIONS["nodes"].checks),
    "Node": _record(
        node=_OBJECT,
        traits=_list(_TEXT),
        ports=_list(_OBJECT),
        portgroups=_list(_OBJECT),
        volume_connectors=_list(_OBJECT),
        volume_targets=_list(_OBJECT),
        due=_list(_DUE),
        history=_list(_OBJECT),
        machine=_or_null(_OBJECT),
    ),
    "NodeInOverview": _record(
        **_NODE,
        step=_or_null(_TEXT),
        due=_list(_DUE),
        traits=_list(_TEXT),
        vifs=_list(_TEXT),
        connectors=_list(_TEXT),
        targets=_list(_TEXT),
    ),
    "Overview": _record(
        number=_INTEGER,
        nodes=_list(reference("NodeInOverview")),
        counts={"type": "object", "additionalProperties": _INTEGER},
        clock=_record(**_CLOCK),
        faults=_list(reference("Fault")),
        requests=_list(reference("Request")),
        snapshots=_list(_TEXT),
        conductors=_list(reference("Conductor")),
    ),
    "Wall": _record(
        by=_TEXT,
        racks=_list(_record(name=_TEXT, nodes=_list(_list(_or_null(_TEXT))))),
    ),
    "Timeline": _record(
        about=_list({**_list(_TEXT), "minItems": 2, "maxItems": 2}),
        failures=_list(_record(text=_TEXT, names=_list(_TEXT))),
        start=_NUMBER,
        end=_NUMBER,
        lanes=_list(
            _record(
                uuid=_TEXT,
                name=_TEXT,
                states=_list(_list(_or_null({}))),
                due=_list(_list({})),
            )
        ),
        ticks=_list(_list({})),
    ),
    "Request": _record(
        id=_TEXT,
        at=_TIME,
        method=_TEXT,
        path=_TEXT,
        query=_TEXT,
        version=_or_null(_TEXT),
        status=_INTEGER,
        seconds=_NUMBER,
        moment=_TIME,
        fault=_or_null(_INTEGER),
    ),
    "Requests": _object(
        {"requests": _list(reference("Request")), "dropped": _INTEGER, "seed": _INTEGER},
        "requests",
        "dropped",
    ),
    "Archive": _record(log=_OBJECT),
    "RequestsOrArchive": {"oneOf": [reference("Requests"), reference("Archive")]},
    "Expectation": _object(
        {
            "method": _TEXT,
            "path": _TEXT,
            "times": _INTEGER,
            "json": {},
            "json_contains": {},
            "headers": _TEXTS,
            "query": _OBJECT,
            "version": _TEXT,
            "absent": _FLAG,
        },
        "method",
        "path",
    ),
    "Order": _record(order=_list({**_list(_TEXT), "minItems": 2, "maxItems": 2})),
    "ExpectationOrOrder": {"oneOf": [reference("Expectation"), reference("Order")]},
    "Matched": _record(matched=_INTEGER),
    "Mismatch": _record(message=_TEXT, nearest=_or_null(_OBJECT)),
    "Unmet": _record(
        faults=_list(reference("Fault")),
        requests=_list(_record(method=_TEXT, path=_TEXT)),
    ),
    "Seed": _object({kind.key: _list(_OBJECT) for kind in (*schema.LISTS, *services.LISTS)}),
    "SeedNumbers": {"type": "object", "additionalProperties": _INTEGER},
    "NewSnapshot": _object({"id": _or_null(_TEXT)}),
    "Snapshot": _record(id=_TEXT),
    "Snapshots": _record(snapshots=_list(reference("Snapshot"))),
}
