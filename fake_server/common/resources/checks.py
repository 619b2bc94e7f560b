"""What is wrong with the declaration of a resource: told when its module is imported."""

from __future__ import annotations

from typing import Any

from fake_server.common.policies import UnknownPolicyError
from fake_server.common.resources.declaration import (
    OPERATIONS,
    DeclarationError,
    Field,
    Level,
    check_schema,
)
from fake_server.common.resources.rows import Rows


def check(cls: type[Any]) -> None:
    """Raise DeclarationError for what is declared wrongly."""
    called = cls.__qualname__
    if not isinstance(getattr(cls, "rows", None), Rows):
        raise DeclarationError(f"{called}.rows has to be Rows, not {getattr(cls, 'rows', None)!r}.")
    if cls.reading is not None:
        _check_policies(cls, f"{called}.reading", cls.reading)
    for operation, policies in cls.policies.items():
        where = f"{called}.policies[{operation!r}]"
        if operation not in OPERATIONS:
            raise DeclarationError(f"{where}: the operations are {', '.join(OPERATIONS)}.")
        _check_policies(cls, where, policies)
    for operation in cls.added:
        if operation not in cls.policies:
            raise DeclarationError(f"{called}.added[{operation!r}]: there is no such operation.")
    for name, field in cls.fields.items():
        _check_field(cls, f"{called}.fields[{name!r}]", name, field)
    for name, action in cls.actions.items():
        _check_policies(cls, f"{called}.actions[{name!r}]", action.policies())
        check_schema(f"{called}.actions[{name!r}]", action.body)
        if action.states and cls.states_in not in cls.rows.table.c:
            raise DeclarationError(
                f"{called}.actions[{name!r}] has states, but {cls.rows.table.name} has no column "
                f"{cls.states_in}."
            )


def _check_field(cls: type[Any], where: str, name: str, field: Any) -> None:
    if not isinstance(field, Field):
        raise DeclarationError(f"{where} has to be a Field, not {field!r}.")
    for operation in ("create", "update"):
        schema = getattr(field, operation)
        if schema is not None:
            check_schema(f"{where}, {operation}", schema)
    if field.required and field.create is None:
        raise DeclarationError(f"{where} is required, but no body may have it: create is missing.")
    shown = field.level is not Level.HIDDEN and field.of is None
    if shown and name not in cls.rows.table.c and name not in cls.computed:
        raise DeclarationError(
            f"{where} is shown, but {cls.rows.table.name} has no such column: give it one, or say "
            "by of what is shown."
        )
    if field.sees is not None:
        _check_policies(cls, where, field.sees)


def _check_policies(cls: type[Any], where: str, policies: str | tuple[str, ...]) -> None:
    for policy in (policies,) if isinstance(policies, str) else policies:
        try:
            cls.service_policies.name(policy)
        except UnknownPolicyError as exc:
            raise DeclarationError(f"{where}: {exc}") from None
