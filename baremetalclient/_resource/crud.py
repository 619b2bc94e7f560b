"""Managers with the calls that most types of resources have: list, get, create, update, delete.

Their arguments follow from the description of the type. `baremetalclient.v1.arguments` declares
them to type checkers.
"""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any, ClassVar

from baremetalclient import exc
from baremetalclient._resource.arguments import PAGING, check_arguments, options_from
from baremetalclient._resource.manager import Manager, Operations
from baremetalclient._resource.resource import ResourceT

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from baremetalclient._resource.resource import Resource


class ListManager(Manager[ResourceT]):
    """The calls for resources that can be listed.

    All lists take these arguments:

    * ``limit``: the maximum number of resources; 0 for all, None for one page of the server.
    * ``marker``: the identifier (the UUID, if resources have one) after which the list begins.
    * ``sort_key`` and ``sort_dir``: the field to sort by, and ``asc`` or ``desc``.
    * ``detail``: whether to return all fields.
    * ``fields``: the names of the fields to return; not together with ``detail``.
    """

    calls: ClassVar[Sequence[str]] = ("list", "iterate")
    """The methods whose arguments follow from the description of the resources."""

    def __init_subclass__(cls) -> None:
        """Give the methods the arguments of this type of resource."""
        super().__init_subclass__()
        if "resource_class" in vars(cls):
            for name in set(cls.calls) - vars(cls).keys():
                generic = inspect.unwrap(getattr(cls, name))
                found = signature(name, cls.resource_class)
                setattr(cls, name, check_arguments(generic, found))

    def list(self, *args: Any, **arguments: Any) -> list[ResourceT]:
        """Return the resources that match filters.

        See :class:`.ListManager` for the arguments of all lists, and the table of the resource for
        the filters.
        """
        return self._list(**arguments)

    def iterate(self, **options: Any) -> Iterator[ResourceT]:
        """Yield all resources that match, holding one page of the server in memory at a time.

        :param options: the arguments of :meth:`list` but ``limit``.
        """
        listing = self._listing(options)
        return (self.resource_class(self, item) for item in listing.iterate())


class ReadManager(ListManager[ResourceT]):
    """The calls for resources that have an identifier, too."""

    calls = (*ListManager.calls, "get")

    def get(self, *args: Any, **arguments: Any) -> ResourceT:
        """Return a resource.

        The arguments are its identifier, and ``fields``: the names of the fields to return, None
        for all.

        :raises NotFound: if it does not exist.
        """
        return self._get(self._identifier_from(arguments), **arguments)

    def _identifier_from(self, arguments: dict[str, Any]) -> Any:
        return arguments.pop(self.resource_type.identified_by)


class CreateManager(ReadManager[ResourceT]):
    """The calls for resources that can be created, changed and deleted, too."""

    calls = (*ReadManager.calls, "create", "update", "delete")

    def create(self, **fields: Any) -> ResourceT:
        """Create a resource.

        :param fields: its fields, see the table of the resource, and the options of every call.
        :raises InvalidAttribute: if resources of this type do not have one of the fields.
        :raises Conflict: if the UUID, the name or another unique field is taken.
        """
        return self._create(**fields)

    def update(self, *args: Any, **arguments: Any) -> ResourceT:
        """Change a resource, and return it.

        The arguments are its identifier, and either ``patch``, a JSON patch, or fields by name: the
        new value of the whole field, or None to remove it.

        :raises InvalidAttribute: if resources of this type do not have one of the fields.
        """
        identifier, patch = self._identifier_from(arguments), arguments.pop("patch", None)
        call = options_from(arguments)
        return self._update(identifier, self._patch_of(patch, arguments), **call)

    def delete(self, *args: Any, **arguments: Any) -> None:
        """Delete a resource; its identifier is the argument."""
        self._delete(self._identifier_from(arguments), **arguments)

    def _patch_of(self, patch: Operations | None, changes: Mapping[str, Any]) -> Operations:
        """Return the patch that was given, or the one that makes changes.

        :param patch: the patch.
        :param changes: new values of whole fields by their names, None to remove one.
        :raises InvalidAttribute: if both are given.
        :raises TypeError: if nothing is given.
        """
        if not changes:
            if patch is None:
                raise TypeError(f"Give a patch, or fields of {self.resource_type.one} by name.")
            return patch
        self._check_fields("a changed", changes, self.resource_type.updatable_names)
        if patch is not None:
            raise exc.InvalidAttribute("A patch and fields cannot be used together.")
        return [
            {"op": "remove", "path": f"/{name}"}
            if value is None
            else {"op": "add", "path": f"/{name}", "value": value}
            for name, value in changes.items()
        ]


def signature(method: str, resource_class: type[Resource], resource: str = "") -> inspect.Signature:
    """Return the signature of a method that all managers have.

    :param method: its name.
    :param resource_class: the class of the resources.
    :param resource: how annotations call this class, by default by its name.
    """
    name, resource_type = resource_class.__name__, resource_class.resource_type
    resource = resource or name
    own = [one for one in resource_type.filters if one.name != "detail"]
    identifier = {resource_type.identified_by: f"str | {resource}"}
    call, result = ("call", "CallOptions"), resource
    by_position: dict[str, str] = {}
    by_keyword: dict[str, str] = {}
    if method == "list":
        result = f"list[{resource}]"
        kinds = {one.name: one.annotated(resource_type.by_name) for one in resource_type.filters}
        kinds = {**PAGING, **kinds}
        by_position = {one: kinds[one] for one in resource_type.list_arguments}
        named = (*resource_type.list_keywords, *(one.name for one in own))
        by_keyword = {one: kinds[one] for one in named if one not in by_position}
    elif method == "iterate":
        call = ("options", f"{name}Filters" if own else "IterateOptions")
        result = f"Iterator[{resource}]"
    elif method == "get":
        by_position = {**identifier, "fields": "Sequence[str] | None"}
    elif method == "create":
        call = ("fields", f"{name}Fields")
    elif method == "update":
        by_position = {**identifier, "patch": "Patch | None"}
        call = ("changes", f"{name}Changes")
    else:
        by_position, result = identifier, "None"
    kind = inspect.Parameter
    parameters = [kind("self", kind.POSITIONAL_OR_KEYWORD)]
    for group, how in (
        (by_position, kind.POSITIONAL_OR_KEYWORD),
        (by_keyword, kind.KEYWORD_ONLY),
    ):
        for argument, annotation in group.items():
            default: Any = False if annotation == "bool" else None
            if argument == resource_type.identified_by:
                default = kind.empty
            parameters.append(kind(argument, how, default=default, annotation=annotation))
    parameters.append(kind(call[0], kind.VAR_KEYWORD, annotation=f"Unpack[{call[1]}]"))
    return inspect.Signature(parameters, return_annotation=result)
