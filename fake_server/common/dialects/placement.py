"""What Placement says otherwise."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, ClassVar

from fake_server.common import json_text, randomness
from fake_server.common.dialects.dialect import Dialect
from fake_server.common.errors import (
    BadRequest,
    MethodNotAllowed,
    NotAcceptable,
    ServiceError,
    UnsupportedMediaType,
)
from fake_server.common.microversions import parse, requested
from fake_server.common.rest import encode

if TYPE_CHECKING:
    from fake_server.common.schemas import Checker
    from fake_server.common.wsgi import Request, Response

#: The code of errors that have none of their own.
_UNDEFINED = "placement.undefined_code"
#: The version that added codes of errors.
_CODES = 23
#: What stands before the detail of an error; WebOb's words, which Placement is built on.
_EXPLANATIONS = {
    400: "The server could not comply with the request since it is either malformed or otherwise "
    "incorrect.",
    403: "Access was denied to this resource.",
    404: "The resource could not be found.",
    409: "There was a conflict when trying to complete your request.",
}


class InvalidVersion(BadRequest):
    """What the header asks for is no version."""

    form = "Invalid microversion: invalid version string: {}"


class UnsupportedKind(UnsupportedMediaType):
    """The body is no JSON."""

    def __init__(self, kind: str) -> None:
        self.kind = kind or None
        super().__init__(f"The media type {self.kind} is not supported, use application/json")


class Placement(Dialect):
    """What Placement says otherwise."""

    major: ClassVar[int] = 1
    maximum: ClassVar[int] = 39

    def negotiate(self, request: Request) -> int:
        """Return the minor version that a request is for."""
        version = requested(request, "placement")
        if version is None:
            return 0
        minor = parse(version, self.major, 0, self.maximum)
        if minor is not None:
            return minor
        if not re.fullmatch(r"[0-9]+\.[0-9]+", version):
            wrong = next((part for part in version.split(".") if not part.isdecimal()), None)
            reason = "Version.__new__() missing 1 required positional argument: 'minor'"
            if wrong is not None:
                reason = f"invalid literal for int() with base 10: {wrong!r}"
            raise InvalidVersion(f"{version}; {reason}")
        raise NotAcceptable(
            f"Invalid microversion: Unacceptable version header: {version}",
            max_version=f"{self.major}.{self.maximum}",
            min_version=f"{self.major}.0",
        )

    def body(self, request: Request) -> Any:
        """Return the body, whatever JSON it is."""
        if request.content_type != "application/json":
            raise UnsupportedKind(request.content_type)
        try:
            return json_text.parse(request.body)
        except ValueError as exc:
            raise BadRequest(f"Malformed JSON: {exc}") from None

    def check(self, checker: Checker, value: Any) -> None:
        """Raise BadRequest unless a checker accepts a value."""
        if error := checker.best(value):
            raise BadRequest(f"JSON does not validate: {error}")

    def render(
        self, error: ServiceError, request: Request | None = None, minor: int = 0
    ) -> Response:
        """Return the answer, with the code of the error if the version has one."""
        body = {
            "status": error.status,
            "title": error.title,
            "detail": _detail(error),
            "request_id": request.id if request else f"req-{randomness.uuid()}",
            **error.extra,
        }
        if minor >= _CODES:
            body["code"] = error.code or _UNDEFINED
        response = encode(error.status, {"errors": [body]})
        if isinstance(error, MethodNotAllowed) and error.allowed:
            response.headers.append(("Allow", ", ".join(error.allowed)))
        return response


PLACEMENT = Placement()


def _detail(error: ServiceError) -> str:
    if isinstance(error, MethodNotAllowed):
        # Placement says it once more where no version of the address has the method.
        again = "The method specified is not allowed for this resource." if error.allowed else ""
        return f"The method {error.method} is not allowed for this resource. \n\n {again}"
    if isinstance(error, NotAcceptable):
        # Placement has cut this text off.
        return (
            "The resource could not be generated that was acceptable to your browser (content of "
            f"type application/json. \n\n {error.message}"
        )
    if isinstance(error, UnsupportedKind):
        unsupported = f"The request media type {error.kind} is not supported by this server."
        return f"{unsupported} \n\n {error.message}"
    # Placement takes HTML out of it, and line breaks with that.
    text = error.message.replace("\n", " ")
    return f"{_EXPLANATIONS.get(error.status, '')}\n\n {text}  "
