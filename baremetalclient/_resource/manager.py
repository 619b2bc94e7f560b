"""Base of the managers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Generic, TypeAlias, TypeVar

from baremetalclient import exc
from baremetalclient._http import urls
from baremetalclient._http.sender import NOT_GIVEN
from baremetalclient._resource.arguments import (
    PAGING,
    check_arguments,
    http_verb,
    is_uuid,
    options_from,
    takes_any_keyword,
)
from baremetalclient._resource.lost_answers import has, is_gone, is_patched, settled
from baremetalclient._resource.pager import Listing, checked_limit
from baremetalclient._resource.resource import Resource, ResourceT
from baremetalclient._suggestion import suggestion
from baremetalclient.microversion import Feature

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Unpack

    from baremetalclient._http.baremetal import HTTPClient
    from baremetalclient._http.response import Response
    from baremetalclient._resource.arguments import CallOptions
    from baremetalclient._resource.fields import Filter
    from baremetalclient._resource.schema import ResourceType


Operations: TypeAlias = "Sequence[Mapping[str, object]]"
"""A JSON patch."""
DETAIL_OR_FIELDS = "detail and fields cannot be used together."

OtherT = TypeVar("OtherT", bound=Resource)


class Manager(Generic[ResourceT]):
    """Base of the managers, each with the calls for one type of resource.

    All public methods take the options of every call, see
    :class:`~baremetalclient._resource.arguments.CallOptions`.

    :param http: the client that sends the requests.
    """

    resource_class: type[ResourceT]

    def __init_subclass__(cls) -> None:
        """Let all public methods check their keyword arguments before they send anything."""
        super().__init_subclass__()
        for name, method in list(vars(cls).items()):
            if not name.startswith("_") and takes_any_keyword(method):
                setattr(cls, name, check_arguments(method))

    def __init__(self, http: HTTPClient) -> None:
        self.http = http

    @property
    def api(self) -> HTTPClient:
        """The client that sends the requests."""
        return self.http

    @property
    def resource_type(self) -> ResourceType:
        """The description of the resources."""
        return self.resource_class.resource_type

    def _list(self, **arguments: Any) -> list[ResourceT]:
        """Return resources; the deadline is for all pages together.

        :param arguments: options of lists, filters, and the options of every call.
        :raises UnknownArgument: if there is no such filter.
        """
        limit = checked_limit(arguments.pop("limit", None))
        resource_class = self.resource_class
        return [resource_class(self, item) for item in self._listing(arguments).collect(limit)]

    def _iterate(self, **options: Any) -> Iterator[ResourceT]:
        """Yield all resources that match; an unknown argument is refused at once."""
        listing = self._listing(options)
        return (self.resource_class(self, item) for item in listing.iterate())

    def _listing(self, arguments: dict[str, Any]) -> Listing:
        """Return the list that the arguments of `_list` describe."""
        call = options_from(arguments)
        resource_type = self.resource_type
        known = {one.name for one in resource_type.filters}
        given = {name: arguments.pop(name, None) for name in PAGING if name not in known}
        detail, fields = given.get("detail"), given["fields"]
        if (detail or arguments.get("detail")) and fields:
            raise exc.InvalidAttribute(DETAIL_OR_FIELDS)
        selected, features = self._selected(fields)
        detail = detail or bool(fields and not selected)
        sort_key = given["sort_key"]
        parameters = {"sort_key": sort_key, "sort_dir": given["sort_dir"], **selected}
        features += [resource_type.feature, *self._field_features([sort_key])]
        path = urls.path(resource_type.path)
        if detail and resource_type.detail == "path":
            path += "/detail"
        elif detail:
            parameters["detail"] = True
        active = self._active_filters(arguments)
        for filter_, value in active:
            parameters[filter_.argument] = value
            features.append(
                Feature(
                    f"lists of {resource_type.plural} by {filter_.name!r}",
                    max(filter_.since, resource_type.since),
                )
            )
        return Listing(
            self.http, resource_type, path, parameters, given["marker"], active, features, call
        )

    def _selected(
        self, fields: Sequence[str] | None
    ) -> tuple[dict[str, urls.QueryValue], list[Feature]]:
        """Return the query for some fields, and the features that it needs.

        It is empty if the server has to be asked for all, since it can't be for one of these.
        """
        if fields is None:
            return {}, []
        names = urls.comma_separated(fields, "field name")
        features = self._field_features(names)
        if not self.resource_type.only_detailed.isdisjoint(names):
            return {}, features
        return {"fields": names}, [self.resource_type.field_selection, *features]

    def _list_children(
        self,
        manager: type[Manager[OtherT]],
        filter_name: str,
        identifier: object,
        **options: Any,
    ) -> list[OtherT]:
        """Return resources of another type that belong to a resource.

        They are listed with a filter instead of a path below the resource: such a path takes no
        names, and its pages lose the resource.

        :param manager: the manager of the other type.
        :param filter_name: the filter of the other type for resources of this type.
        :param identifier: the identifier of the resource, not yet checked.
        :param options: the other arguments of the list.
        """
        self._path(identifier)
        return manager(self.http)._list(**{filter_name: identifier}, **options)

    def _active_filters(self, filters: Mapping[str, Any]) -> list[tuple[Filter, Any]]:
        """Return the filters that have a value, with their checked values."""
        known = {filter_.name: filter_ for filter_ in self.resource_type.filters}
        active = []
        for name, value in filters.items():
            if name not in known:
                raise exc.UnknownArgument(
                    f"Unknown filter {name!r} of {self.resource_type.plural}."
                    f"{suggestion(name, known, 'Known filters')}"
                )
            filter_ = known[name]
            if value is None or value == filter_.nothing:
                continue
            self.resource_type.check_value(name, value)
            if filter_.many is not None:
                value = urls.comma_separated(value, filter_.many)
            active.append((filter_, value))
        return active

    def _get(
        self,
        identifier: object,
        fields: Sequence[str] | None = None,
        **call: Unpack[CallOptions],
    ) -> ResourceT:
        parameters, features = self._selected(fields)
        response = self._call("GET", identifier, parameters=parameters, features=features, **call)
        found = self._to_resource(response, fields, identifier)
        if fields is None or parameters:
            return found
        names = urls.comma_separated(fields, "field name")
        return self.resource_class(
            self, {name: vars(found)[name] for name in names if name in found}
        )

    def _get_by(
        self,
        filter_name: str,
        value: str,
        fields: Sequence[str] | None = None,
        **call: Unpack[CallOptions],
    ) -> ResourceT:
        """Return the only resource that matches a filter."""
        found = self._list(detail=fields is None, fields=fields, **{filter_name: value}, **call)
        if len(found) != 1:
            what = f"{self.resource_type.name} with the {filter_name.replace('_', ' ')}"
            raise exc.NotFound(f"Found no {what} {value!r}.")
        return found[0]

    def _create(self, **attributes: Any) -> ResourceT:
        call = options_from(attributes)
        self._check_fields("a new", attributes, self.resource_type.creatable_names)
        features = [self.resource_type.feature, *self._field_features(attributes)]

        def create() -> ResourceT:
            path = urls.path(self.resource_type.path)
            response = self.http.request("POST", path, body=attributes, features=features, **call)
            return self._to_resource(response)

        return settled(create, lambda: self._find_created(attributes, call))

    def _find_created(self, attributes: Mapping[str, Any], call: CallOptions) -> ResourceT | None:
        """Return the resource with these attributes if there is one, and only one can be."""
        ident = attributes.get("uuid") or attributes.get("name")
        if ident is not None:
            found = [self._get(ident, **call)]
        elif node := attributes.get("node_uuid"):
            found = self._list(detail=True, node=node, **call)
        else:
            return None
        same = [one for one in found if has(one.to_dict(), attributes, masked=True)]
        return same[0] if len(same) == 1 else None

    def _check_fields(self, which: str, given: Iterable[str], known: Sequence[str]) -> None:
        unknown = [name for name in given if name not in known]
        if unknown:
            raise exc.UnknownArgument(
                f"Unknown attributes of {which} {self.resource_type.name}: "
                f"{', '.join(map(repr, unknown))}."
                f"{suggestion(unknown[0], known, 'Known attributes')}"
            )

    def _update(
        self,
        identifier: object,
        patch: Operations,
        parameters: Mapping[str, urls.QueryValue] | None = None,
        features: Sequence[Feature] = (),
        http_method: str = "PATCH",
        **call: Unpack[CallOptions],
    ) -> ResourceT:
        if not isinstance(patch, Sequence) or isinstance(patch, str | bytes):
            raise exc.InvalidType(
                "A patch has to be a list of operations, such as [{'op': 'replace', 'path': "
                f"'/name', 'value': 'node-1'}}], and not {type(patch).__name__}."
            )
        names = map(_patched_field, patch)
        own = self.resource_type.update_feature
        needed = [*([own] if own else []), *features, *self._field_features(names)]

        def update() -> ResourceT:
            response = self._call(
                http_verb(http_method),
                identifier,
                body=list(patch),
                parameters=parameters,
                features=needed,
                **call,
            )
            return self._to_resource(response, None, identifier)

        def look() -> ResourceT | None:
            found = self._get(identifier, **call)
            return found if is_patched(found.to_dict(), patch) else None

        return settled(update, look)

    def _delete(self, identifier: object, **call: Unpack[CallOptions]) -> None:
        def delete() -> bool:
            self._call("DELETE", identifier, **call)
            return True

        settled(delete, lambda: is_gone(lambda: self._get(identifier, **call)))

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
        """Send a request to the path of a resource or to one below it.

        :param method: the HTTP method.
        :param identifier: the identifier of the resource, not yet checked.
        :param below: the segments of the path after it, quoted already.
        :param body: the body to send as JSON.
        :param parameters: the query.
        :param features: the features that the version of the API has to have.
        """
        return self.http.request(
            method,
            self._path(identifier, *below) + urls.query(parameters or {}),
            body=body,
            features=[self.resource_type.feature, *features],
            **call,
        )

    def _path(self, identifier: object, *below: str) -> str:
        """Return the path of a resource, or one below it."""
        resource_type = self.resource_type
        return urls.path(resource_type.path, urls.segment(identifier, resource_type.name), *below)

    def _to_resource(
        self, response: Response, asked: Sequence[str] | None = None, identifier: object = None
    ) -> ResourceT:
        """Return the resource of a response.

        :param asked: the fields that the request asked for, None for the default ones.
        :param identifier: what the request called the resource, None if it is a new one.
        :raises InvalidResponse: if it is no such resource, or another one.
        """
        item = response.object()
        found = item.get("uuid")
        other = identifier != found and is_uuid(identifier) and is_uuid(found)
        if other and str(identifier).lower() != str(found).lower():
            raise response.invalid(f"{self.resource_type.one}: it is another one, {found}")
        if flaw := self.resource_type.flaw_in(item, asked):
            raise response.invalid(f"{self.resource_type.one}: it {flaw}")
        return self.resource_class(self, item)

    def _field_features(self, names: Iterable[str | None]) -> list[Feature]:
        found = (self.resource_type.feature_of(name) for name in names if name is not None)
        return [feature for feature in found if feature is not None]


def _patched_field(operation: object) -> str | None:
    """Return the name of the field that an operation changes; the server checks the operation."""
    path = operation.get("path") if isinstance(operation, dict) else None
    if not isinstance(path, str):
        return None
    return path.removeprefix("/").partition("/")[0].replace("~1", "/").replace("~0", "~")
