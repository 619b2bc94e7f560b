"""The OpenAPI description of the controls, from which clients in other languages can be made."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import fake_server
from fake_server.control import schemas
from fake_server.control.guard import TOKEN_HEADER

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fake_server.common.schemas import Schema
    from fake_server.control.operations import Operation

_JSON = "application/json"
_ABOUT = (
    "What tests control of a fake server. A POST needs the media type application/json, even "
    "without a body. The token is needed if the server has one."
)


def document(operations: Iterable[Operation]) -> dict[str, Any]:
    """Return the description of operations, in OpenAPI 3.0.3."""
    paths: dict[str, Any] = {}
    for operation in operations:
        paths.setdefault(operation.address, {})[operation.method.lower()] = _described(operation)
    return {
        "openapi": "3.0.3",
        "info": {
            "title": "Controls of baremetal-fake-server",
            "description": _ABOUT,
            "version": fake_server.__version__,
            "license": {"name": "Apache-2.0"},
        },
        "servers": [{"url": "/"}],
        "paths": paths,
        "components": {
            "schemas": {name: schemas.dialect(one) for name, one in schemas.SCHEMAS.items()},
            "securitySchemes": {"token": {"type": "apiKey", "in": "header", "name": TOKEN_HEADER}},
        },
        "security": [{}, {"token": []}],
    }


def _described(operation: Operation) -> dict[str, Any]:
    handler = operation.handler
    found: dict[str, Any] = {
        "operationId": handler.__name__,
        "summary": operation.summary,
        "tags": [handler.__module__.rpartition(".")[2]],
        "parameters": [
            *(
                {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}
                for name in re.findall(r"\{(\w+)\}", operation.address)
            ),
            *(
                {"name": name, "in": "query", "description": text, "schema": {"type": "string"}}
                for name, text in operation.query.items()
            ),
        ],
        "responses": {str(operation.status): _answer(operation.summary, operation.answers)},
    }
    if operation.takes is not None:
        content = _content(operation.takes)
        found["requestBody"] = {"required": True, "content": content}
    elif operation.method == "POST":
        # Its media type is needed; many clients send none without a body.
        nothing = {"type": "object", "additionalProperties": False}
        found["requestBody"] = {"content": {_JSON: {"schema": nothing}}}
    for status, name in operation.otherwise.items():
        found["responses"][str(status)] = _answer(name, name)
    found["responses"]["default"] = _answer("The request is refused.", "Error")
    return found


def _answer(description: str, answers: str | None) -> Schema:
    content = {} if answers is None else {"content": _content(answers)}
    return {"description": description, **content}


def _content(answers: str) -> Schema:
    if answers in schemas.SCHEMAS:
        return {_JSON: {"schema": schemas.reference(answers)}}
    return {answers: {"schema": {"type": "string"}}}
