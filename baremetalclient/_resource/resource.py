"""Base of the resources."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias, TypeVar

from baremetalclient import exc
from baremetalclient._suggestion import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Self

    from baremetalclient._resource.schema import ResourceType

Item: TypeAlias = dict[str, Any]
"""The fields of a resource by their names, as decoded JSON."""


class Resource:
    """A resource as the server sent it, with its fields as attributes.

    The decoded JSON is the ``__dict__`` of the resource; nothing is copied or converted. Fields
    that the server did not send are missing. A copy keeps the manager, a pickle does not.

    :param manager: the manager that returned it, also the attribute ``manager`` unless a field has
        this name.
    :param info: the decoded JSON.
    :param loaded: not used; see :meth:`is_loaded`.
    """

    __slots__ = ("__dict__", "_manager")

    resource_type: ClassVar[ResourceType]
    manager: Any

    def __init_subclass__(cls) -> None:
        """Describe the resources by the fields that the class declares."""
        super().__init_subclass__()
        if "resource_type" in vars(cls):
            cls.resource_type = cls.resource_type.declared_by(cls)

    def __init__(self, manager: object, info: dict[str, Any], loaded: bool = True) -> None:
        self._manager: Any = manager
        self.__dict__ = info

    # A property, since a field of this name would hide a method.
    @property
    def to_dict(self) -> Callable[[], dict[str, Any]]:
        """A function that returns a copy of the fields as a dictionary."""
        return lambda: copy.deepcopy(self.__dict__)

    @property
    def _info(self) -> dict[str, Any]:
        """The decoded JSON, by the name that programs for python-ironicclient use."""
        return self.__dict__

    @property
    def human_id(self) -> None:
        """None, as resources of Ironic have no such identifier."""
        return

    def is_loaded(self) -> bool:
        """Whether all fields were requested that will be; no field is fetched when it is read."""
        return True

    def get(self) -> None:
        """Request the resource again, with all its fields.

        :raises NotFound: if it does not exist any more.
        """
        identifier = self.__dict__[type(self).resource_type.identifier]
        self.__dict__ = self._manager.get(identifier).__dict__

    def __copy__(self) -> Self:
        return type(self)(self._manager, dict(self.__dict__))

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return type(self)(self._manager, copy.deepcopy(self.__dict__, memo))

    def __reduce__(self) -> tuple[type[Self], tuple[None, dict[str, Any]]]:
        return type(self), (None, self.__dict__)

    if not TYPE_CHECKING:  # to checkers, only the declared fields exist

        def __getattr__(self, name: str) -> Any:
            if name == "manager":
                return self._manager
            if name.startswith("_"):
                raise AttributeError(name)
            resource_type = type(self).resource_type
            message = f"The server sent no field {name!r} for this {resource_type.name}."
            field = resource_type.by_name.get(name)
            if field is not None:
                message += f" Servers send it since version {field.since}, if the call asks for it."
            else:
                message += did_you_mean(name, resource_type.by_name)
            raise exc.FieldMissing(message, name=name, obj=self)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Resource):
            return NotImplemented
        return type(self) is type(other) and self.__dict__ == other.__dict__

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        known = [type(self).resource_type.identifier, "name", "provision_state"]
        shown = [f"{name}={self.__dict__[name]!r}" for name in dict.fromkeys(known) if name in self]
        return f"<{type(self).__name__} {' '.join(shown)}>"

    def __contains__(self, name: object) -> bool:
        return name in self.__dict__


class Fields(dict[str, Any]):
    """The fields of a resource, for code that works on many kinds of resources.

    :param resource: the resource.
    :raises FieldMissing: for a key, if the server did not send this field.
    """

    def __init__(self, resource: Resource) -> None:
        super().__init__(vars(resource))
        self._resource = resource

    def __missing__(self, name: str) -> Any:
        return getattr(self._resource, name)


ResourceT = TypeVar("ResourceT", bound=Resource)


def identifier_of(obj: object) -> str:
    """Return the identifier of a resource.

    :param obj: the identifier itself, or the resource.
    """
    identifier = getattr(obj, "uuid", obj)
    return identifier if isinstance(identifier, str) else str(obj)
