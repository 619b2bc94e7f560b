"""Whether the controls answer what their OpenAPI description says."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import jsonschema

from fake_server.control import openapi
from fake_server.control.handlers import OPERATIONS

if TYPE_CHECKING:
    from fake_server.common.wsgi import Response

DOCUMENT = openapi.document(OPERATIONS)


def plain(schema: Any) -> Any:
    """Return a schema of OpenAPI 3.0 as a JSON schema, in which null is a type."""
    if isinstance(schema, list):
        return [plain(item) for item in schema]
    if not isinstance(schema, Mapping):
        return schema
    made = {name: plain(value) for name, value in schema.items() if name != "nullable"}
    return {"anyOf": [made, {"type": "null"}]} if schema.get("nullable") is True else made


_COMPONENTS = {"components": plain(DOCUMENT["components"])}


def check(method: str, address: str, response: Response) -> None:
    """Check an answer.

    :raises ValidationError: if the description has another schema for its status.
    """
    answers = DOCUMENT["paths"][address][method.lower()]["responses"]
    content = answers.get(str(response.status), answers["default"]).get("content", {})
    if "application/json" in content:
        schema = {**_COMPONENTS, **plain(content["application/json"]["schema"])}
        jsonschema.validate(json.loads(response.body), schema)
    else:
        assert bool(response.body) == bool(content)
