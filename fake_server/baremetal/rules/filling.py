"""Variables in the arguments of rules: ``{node.name}``, ``{inventory[cpu][count]}``, ``{item}``."""

from __future__ import annotations

from string import Formatter
from typing import TYPE_CHECKING, Any

from fake_server.common.masking import HIDDEN, cover

if TYPE_CHECKING:
    from collections.abc import Mapping

_SECRET = frozenset({"password", "auth_token", "bmc_password"})


def masked(found: Any) -> Any:
    """Return what was found, with secrets masked."""
    return cover(found, lambda names, _: names[-1] in _SECRET, lambda _: HIDDEN)


class NodeView:
    """A node as variables see it: each field is an attribute, and a key."""

    def __init__(self, node: Mapping[str, Any]) -> None:
        self._node = node

    def __getattr__(self, name: str) -> Any:
        """Return a field."""
        try:
            return self._node[name]
        except KeyError:
            raise AttributeError(name) from None

    def __getitem__(self, name: str) -> Any:
        """Return a field."""
        return self._node[name]


def filled(value: Any, variables: Mapping[str, Any], *, empty: bool, again: bool) -> Any:
    """Return an argument with its variables replaced.

    Text with a variable that isn't there stays as it is.

    :param empty: whether such text becomes null instead.
    :param again: whether variables in the values of variables are replaced, too.
    """
    if isinstance(value, str):
        text = _format(value, variables, empty=empty)
        return _format(text, variables, empty=empty) if again and text is not None else text
    if isinstance(value, dict):
        return {
            _format(key, variables, empty=empty): filled(item, variables, empty=empty, again=again)
            for key, item in value.items()
        }
    if isinstance(value, list):
        return [
            _format(item, variables, empty=empty)
            if isinstance(item, str)
            else filled(item, variables, empty=empty, again=again)
            for item in value
        ]
    return value


class _Formatter(Formatter):
    """Formats like ``str.format``, but keeps out of what fields are made of."""

    def get_field(self, field_name: str, args: Any, kwargs: Any) -> Any:
        if "._" in field_name:
            raise AttributeError(field_name)
        return super().get_field(field_name, args, kwargs)


_FORMATTER = _Formatter()


def _format(text: str, variables: Mapping[str, Any], *, empty: bool) -> str | None:
    try:
        return _FORMATTER.vformat(text, (), variables)
    except KeyError:
        return None if empty else text
    except (AttributeError, ValueError, IndexError, TypeError):
        return text
