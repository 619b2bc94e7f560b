"""What all resources and their managers have in common."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from baremetalclient import exc
from baremetalclient._http import urls
from baremetalclient._http.redact import masked
from baremetalclient._http.sender import NOT_GIVEN
from baremetalclient._resource.arguments import checking_arguments, options_from
from baremetalclient._resource.pager import Listing, checked_limit
from baremetalclient._resource.schema import Feature, Filter, Resource

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from typing import Self, Unpack

    from baremetalclient._http.response import Response
    from baremetalclient._resource.arguments import CallOptions
    from baremetalclient.v1.http import HTTPClient

Patch = list[dict[str, Any]]

DETAIL_OR_FIELDS = "Either details or certain fields can be asked for, not both."


class View:
    """A resource as the server sent it, its fields as attributes.

    The decoded JSON is the view's own ``__dict__``: nothing is copied or converted. Fields that
    the server did not send are no attributes. Copies keep the manager; what was pickled has none.

    :param manager: the manager that it came from, also as ``manager`` where no field has this name.
    :param info: the decoded JSON.
    """

    __slots__ = ("__dict__", "_manager")

    resource: ClassVar[Resource]

    def __init__(self, manager: object, info: dict[str, Any]) -> None:
        self._manager = manager
        self.__dict__ = info

    # A property, since a field of this name would hide a method.
    @property
    def to_dict(self) -> Callable[[], dict[str, Any]]:
        """Call it for the fields as a dictionary of one's own."""
        return lambda: copy.deepcopy(self.__dict__)

    def __copy__(self) -> Self:
        return type(self)(self._manager, dict(self.__dict__))

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return type(self)(self._manager, copy.deepcopy(self.__dict__, memo))

    def __reduce__(self) -> tuple[type[Self], tuple[None, dict[str, Any]]]:
        return type(self), (None, self.__dict__)

    def __getattr__(self, name: str) -> Any:
        if name == "manager":
            return self._manager
        if name.startswith("_"):
            raise AttributeError(name)
        resource = type(self).resource
        story = f"The server sent no field {name!r} for this {resource.name}."
        field = resource.by_name.get(name)
        if field is not None:
            story += f" It is there from version {field.since} on, if the call asks for it."
        raise AttributeError(story, name=name, obj=self)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, View):
            return NotImplemented
        return type(self) is type(other) and self.__dict__ == other.__dict__

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        known = [type(self).resource.identifier, "name", "provision_state"]
        shown = [f"{name}={self.__dict__[name]!r}" for name in dict.fromkeys(known) if name in self]
        return f"<{type(self).__name__} {' '.join(shown)}>"

    def __contains__(self, name: object) -> bool:
        return name in self.__dict__


ViewT = TypeVar("ViewT", bound=View)


class Manager(Generic[ViewT]):
    """Calls about one kind of resource.

    :param http: what sends the requests.
    """

    resource: ClassVar[Resource]
    view: type[ViewT]

    def __init_subclass__(cls) -> None:
        """Make all public methods refuse unknown arguments before they send anything."""
        super().__init_subclass__()
        for name, method in list(vars(cls).items()):
            if not name.startswith("_") and "call" in getattr(method, "__annotations__", ()):
                setattr(cls, name, checking_arguments(method))

    def __init__(self, http: HTTPClient) -> None:
        self.http = http

    def iterate(
        self,
        *,
        marker: str | None = None,
        sort_key: str | None = None,
        sort_dir: str | None = None,
        detail: bool = False,
        fields: Sequence[str] | None = None,
        **narrowing: Any,
    ) -> Iterator[ViewT]:
        """Yield all resources that fit, one page of the server in memory at a time.

        :param narrowing: the filters of ``list()``, and the options of every call.
        :returns: an iterator of what ``list(limit=0, ...)`` returns.
        :raises UnknownArgument: if ``list()`` knows no such filter.
        """
        call = options_from(narrowing)
        listing = self._listing(
            narrowing, marker, sort_key, sort_dir, detail=detail, fields=fields, call=call
        )
        return (self.view(self, item) for item in listing.iterate())

    def _list(
        self,
        narrowing: Mapping[str, Any],
        limit: int | None = None,
        marker: str | None = None,
        sort_key: str | None = None,
        sort_dir: str | None = None,
        *,
        detail: bool | None = False,
        fields: Sequence[str] | None = None,
        path: str | None = None,
        **call: Unpack[CallOptions],
    ) -> list[ViewT]:
        limit = checked_limit(limit)
        listing = self._listing(
            narrowing,
            marker,
            sort_key,
            sort_dir,
            detail=detail,
            fields=fields,
            path=path,
            call=call,
        )
        view = self.view
        return [view(self, item) for item in listing.collect(limit)]

    def _listing(
        self,
        narrowing: Mapping[str, Any],
        marker: str | None,
        sort_key: str | None,
        sort_dir: str | None,
        *,
        detail: bool | None,
        fields: Sequence[str] | None,
        path: str | None = None,
        call: CallOptions,
    ) -> Listing:
        if detail and fields:
            raise exc.InvalidAttribute(DETAIL_OR_FIELDS)
        parameters: dict[str, urls.QueryValue] = {"sort_key": sort_key, "sort_dir": sort_dir}
        features = [self.resource.feature]
        if sort_key is not None:
            features += self._field_features([sort_key])
        if fields is not None:
            parameters["fields"] = urls.comma_separated(fields, "name of a field")
            features += [self.resource.choosable, *self._field_features(fields)]
        path = path or urls.path(self.resource.path)
        if detail and self.resource.detail == "path":
            path += "/detail"
        elif detail:
            parameters["detail"] = True
        asked = self._narrowing(narrowing)
        for narrowed, value in asked:
            parameters[narrowed.argument] = value
            features.append(
                Feature(
                    f"lists of {self.resource.plural} by {narrowed.name!r}",
                    max(narrowed.since, self.resource.since),
                )
            )
        return Listing(
            self.http,
            self.resource.plural,
            path,
            self.resource.list_keys,
            parameters,
            marker,
            asked,
            self.resource.listed,
            features,
            call,
        )

    def _narrowing(self, narrowing: Mapping[str, Any]) -> list[tuple[Filter, Any]]:
        known = {narrowed.name: narrowed for narrowed in self.resource.filters}
        asked = []
        for name, value in narrowing.items():
            if name not in known:
                raise exc.UnknownArgument(
                    f"{self.resource.plural.capitalize()} cannot be listed by {name!r}, but by: "
                    f"{', '.join(known)}."
                )
            if value is None:
                continue
            narrowed = known[name]
            if narrowed.many is not None:
                value = urls.comma_separated(value, narrowed.many)
            asked.append((narrowed, value))
        return asked

    def _get(
        self,
        identifier: object,
        fields: Sequence[str] | None = None,
        **call: Unpack[CallOptions],
    ) -> ViewT:
        features = [self.resource.feature]
        parameters: dict[str, urls.QueryValue] = {}
        if fields is not None:
            parameters["fields"] = urls.comma_separated(fields, "name of a field")
            features += [self.resource.choosable, *self._field_features(fields)]
        path = self._path(identifier) + urls.query(parameters)
        response = self.http.request("GET", path, features=features, **call)
        return self._viewed(response)

    def _create(self, attributes: dict[str, Any]) -> ViewT:
        call = options_from(attributes)
        known = self.resource.creatable_names
        wrong = [name for name in attributes if name not in known]
        if wrong:
            raise exc.UnknownArgument(
                f"A {self.resource.name} cannot be created with {', '.join(map(repr, wrong))}. "
                f"What can be given is: {', '.join(known)}."
            )
        response = self.http.request(
            "POST",
            urls.path(self.resource.path),
            body=attributes,
            features=[self.resource.feature, *self._field_features(attributes)],
            **call,
        )
        return self._viewed(response)

    def _update(
        self,
        identifier: object,
        patch: Patch,
        parameters: Mapping[str, urls.QueryValue] | None = None,
        features: Sequence[Feature] = (),
        **call: Unpack[CallOptions],
    ) -> ViewT:
        names = [_patched_field(operation) for operation in _operations(patch)]
        response = self.http.request(
            "PATCH",
            self._path(identifier) + urls.query(parameters or {}),
            body=patch,
            features=[self.resource.feature, *features, *self._field_features(names)],
            **call,
        )
        return self._viewed(response)

    def _delete(self, identifier: object, **call: Unpack[CallOptions]) -> None:
        self.http.request(
            "DELETE", self._path(identifier), features=[self.resource.feature], **call
        )

    def _call(
        self,
        method: str,
        identifier: object,
        *below: str,
        body: Any = NOT_GIVEN,
        parameters: Mapping[str, urls.QueryValue] | None = None,
        features: Sequence[Feature] = (),
        **call: Unpack[CallOptions],
    ) -> Response:
        """Send a request about something below a resource.

        :param method: the HTTP method.
        :param identifier: what identifies the resource, not yet checked.
        :param below: the segments of the path after it, checked.
        :param body: what to send as JSON.
        :param parameters: the query.
        :param features: what the version of the API has to have.
        """
        return self.http.request(
            method,
            self._path(identifier, *below) + urls.query(parameters or {}),
            body=body,
            features=[self.resource.feature, *features],
            **call,
        )

    def _path(self, identifier: object, *more: str) -> str:
        """Return the path of one resource, or of something below it."""
        return urls.path(self.resource.path, urls.segment(identifier, self.resource.name), *more)

    def _viewed(self, response: Response) -> ViewT:
        return self.view(self, response.object())

    def _field_features(self, names: Sequence[str] | Mapping[str, Any]) -> list[Feature]:
        found = (self.resource.feature_of(name) for name in names)
        return [feature for feature in found if feature is not None]


def identifier_of(value: object) -> str:
    """Return the identifier of a resource.

    :param value: the identifier itself, or a view of the resource.
    """
    identifier = getattr(value, "uuid", value)
    return identifier if isinstance(identifier, str) else str(value)


def _operations(patch: object) -> Patch:
    """Check that something is a JSON patch (RFC 6902)."""
    if not isinstance(patch, list) or not patch:
        raise exc.ValidationError("A patch has to be a list of at least one operation.")
    for operation in patch:
        path = operation.get("path") if isinstance(operation, dict) else None
        if not isinstance(path, str) or not path.startswith("/") or "op" not in operation:
            raise exc.ValidationError(
                f"{masked(operation)!r} is not an operation of a JSON patch, such as "
                "{'op': 'replace', 'path': '/name', 'value': 'node-1'}."
            )
    return patch


def _patched_field(operation: dict[str, Any]) -> str:
    name: str = operation["path"].split("/")[1]
    return name.replace("~1", "/").replace("~0", "~")
