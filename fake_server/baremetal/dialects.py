"""The differences between the specifications and the released Ironic, as one table."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Dialect:
    """A dialect; its fields are the differences.

    :param connectors_key: key of the list of volume connectors.
    :param targets_key: key of the list of volume targets.
    :param answers_traits: whether setting all traits is answered with their list.
    :param filters_by_traits: whether lists of nodes can be filtered by traits.
    :param vif_refusal: status of a VIF that can't be attached or detached.
    :param clears_targets: whether every tear-down removes the volume targets.
    :param volume_lists: ``released`` or ``documented``: which arguments and values volume
        resources take.
    :param hidden_status: status of an address before its first version.
    :param removes_only_when_off: whether volume resources of idle nodes are kept, too, until the
        node is off.
    :param names_providers: whether nodes have a ``network_provider``, null for the default, instead
        of a ``network_interface``.
    :param switches_networks: whether every deploy interface switches networks, and nodes outside
        the provisioning network have to boot from their disks.
    :param vifs_in_extra: whether VIFs in ``extra.vif_port_id`` of ports and port groups count.
    :param secret_properties: properties of volume targets that are masked besides passwords.
    """

    name: str
    connectors_key: str = "connectors"
    targets_key: str = "targets"
    answers_traits: bool = False
    filters_by_traits: bool = False
    vif_refusal: int = 400
    clears_targets: bool = False
    volume_lists: str = "released"
    hidden_status: int = 404
    removes_only_when_off: bool = False
    names_providers: bool = False
    switches_networks: bool = False
    vifs_in_extra: bool = False
    secret_properties: tuple[str, ...] = ()


DIALECTS = {
    "ironic": Dialect("ironic"),
    "spec": Dialect(
        "spec",
        connectors_key="volume_connectors",
        targets_key="volume_targets",
        answers_traits=True,
        filters_by_traits=True,
        vif_refusal=422,
        clears_targets=True,
        volume_lists="documented",
        hidden_status=406,
        removes_only_when_off=True,
        names_providers=True,
        switches_networks=True,
        vifs_in_extra=True,
        secret_properties=("auth_username",),
    ),
}
