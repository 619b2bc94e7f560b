"""The errors of the Identity service."""

from __future__ import annotations

from typing import Any

from fake_server.common.errors import BadRequest, Conflict, Forbidden, NotFound

#: What Keystone adds to what it says of requests that lack something.
_MALFORMED = (
    "The server could not comply with the request since it is either malformed or otherwise "
    "incorrect. The client is assumed to be in error."
)


class TokenNotFound(NotFound):
    """A token that there isn't, or that is good for nothing any more."""


def forbidden(action: str) -> Forbidden:
    """Return the error for an action that the client may not do.

    :param action: the name of a policy, or a sentence that says more.
    """
    return Forbidden(f"You are not authorized to perform the requested action: {action}.")


def not_found(kind: str, ident: object) -> NotFound:
    """Return the error for something that isn't there."""
    of = " for" if kind.endswith("limit") else ":"
    return NotFound(f"Could not find {kind.replace('_', ' ')}{of} {ident}.")


def malformed(problem: str) -> BadRequest:
    """Return the error for a request that lacks something.

    :param problem: a sentence.
    """
    return BadRequest(f"{problem} {_MALFORMED}")


def required(body: dict[str, Any], name: str) -> Any:
    """Return what a body has by a name; raise BadRequest if it hasn't."""
    if name not in body:
        raise BadRequest(f"'{name}' is a required property")
    return body[name]


def invalid(problem: Any, kind: str) -> BadRequest:
    """Return the error for a value that its schema refuses.

    :param problem: the error of the schema.
    :param kind: what it is.
    """
    where = problem.path[-1] if problem.path else kind
    text = f"Invalid input for field/attribute {where}. Value: {problem.instance}. "
    return BadRequest(text + problem.message)


def conflict(kind: str, problem: str) -> Conflict:
    """Return the error for what can't be stored beside what is there.

    :param problem: what is in the way.
    """
    return Conflict(f"Conflict occurred attempting to store {kind} - {problem}.")
