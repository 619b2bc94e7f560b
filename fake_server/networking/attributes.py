"""What there is to say of a kind of resources: its attributes, and its table."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from fake_server.common.errors import NotFound
from fake_server.networking import values
from fake_server.networking.errors import Missing
from fake_server.networking.tables import items_table

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from fake_server.db.store import Record
    from fake_server.networking.values import Convert

#: The default of what can't be left out.
REQUIRED: Any = object()
#: The default of what is left to the service.
CHOSEN: Any = None
#: The default of what is chosen by the service, where null stands for none.
UNSET = ""
#: What has policies of its own beside those of the item that it is of.
_PARTS = ("subports", "router_interface", "extraroutes", "prefixes", "addresses")


@dataclass(frozen=True, slots=True)
class Attribute:
    """An attribute of a kind.

    :param convert: checks a value and returns it as it is kept.
    :param default: its value where a client gives none.
    :param create: whether clients can set it when they create something.
    :param update: whether clients can change it.
    :param filters: whether lists can be filtered by it.
    :param sorts: whether lists can be sorted by it.
    """

    convert: Convert = values.anything
    default: Any = CHOSEN
    create: bool = True
    update: bool = True
    filters: bool = True
    sorts: bool = True


@dataclass
class Kind:
    """A kind of resources.

    :param collection: what the API calls several of them, such as ``security_groups``.
    :param attributes: what clients know of one; empty where there is more to it than items.
    :param parent: the kind of what an item is in, whose project has rights to it.
    :param needs: the kinds of what clients have to see to name it, by the attribute that does;
        ``external_gateway_info.network_id`` is in an attribute, or in each object of its list.
    :param hidden: what is kept of an item for filters alone.
    :param columns: columns that only its table has.
    :param absent: what is said of an id that nothing has, and Neutron's name of this error.
    :param shares_as: what RBAC policies call one of them.
    :param inside: whether items are kept in those of the parent.
    :param named_alone: whether their policies don't name the parent nevertheless.
    """

    collection: str
    attributes: Mapping[str, Attribute] = field(default_factory=dict)
    parent: str = "networks"
    needs: Mapping[str, str] = field(default_factory=dict)
    hidden: Collection[str] = ()
    columns: Sequence[str] = ()
    absent: tuple[str, str] | None = None
    shares_as: str | None = None
    inside: bool = False
    named_alone: bool = False

    def __post_init__(self) -> None:
        #: What the API calls one of them.
        self.singular = _singular(self.collection)
        #: The attribute that names what one is in.
        self.above = f"{_singular(self.parent)}_id"
        #: What markers of pages name one by: Neutron's primary key, which comes first.
        self.key = "id" if "id" in self.attributes else next(iter(self.attributes), "id")
        if not self.inside:
            #: Where items are kept.
            self.table = items_table(self.collection, *self.columns)

    def completed(self, values: Mapping[str, Any]) -> Record:
        """Return the attributes of a new item, converted, with the defaults of those not given."""
        complete = {}
        for name, attribute in self.attributes.items():
            if name in values:
                complete[name] = attribute.convert(name, values[name])
            elif attribute.create:
                complete[name] = _default(attribute)
        if "tenant_id" in complete:
            complete["project_id"] = complete.pop("tenant_id")
        return complete

    def defaults(self) -> Record:
        """Return the attributes of an item that a client says nothing about."""
        return {name: one for name, one in self.completed({}).items() if one is not REQUIRED}

    def given(self, values: Mapping[str, Any]) -> Record:
        """Return the attributes that a new item has otherwise than by default."""
        known = self.attributes
        return {
            name: value
            for name, value in values.items()
            if name in known and known[name].create and value != _default(known[name])
        }

    def policy(self, action: str, part: str = "*") -> str:
        """Return the name of the policy of an action, or of a part of it.

        :param part: empty for an action whose policy doesn't name the kind.
        """
        if not part:
            return action
        if part in _PARTS:
            return f"{action}_{part}"
        of_parent = self.inside and not self.named_alone
        name = f"{_singular(self.parent)}_{self.singular}" if of_parent else self.singular
        whole = f"{action}_{name}"
        return whole if part == "*" else f"{whole}:{part}"

    def missing(self, ident: Any) -> NotFound:
        """Return the error for what isn't there."""
        if self.absent is None:
            return Missing(self.singular.title(), ident)
        text, code = self.absent
        return NotFound(text.format(ident), code)


def _singular(collection: str) -> str:
    return re.sub("ie$", "y", collection.removesuffix("s"))


def _default(attribute: Attribute) -> Any:
    """Return the default of an attribute; a list or an object of its own."""
    default = attribute.default
    if isinstance(default, tuple):
        return list(default)
    return dict(default) if hasattr(default, "keys") else default
