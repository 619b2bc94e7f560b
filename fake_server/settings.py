"""The settings of a server."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal

from fake_server.baremetal import microversions
from fake_server.compute import microversions as compute_microversions
from fake_server.identity import accounts

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fake_server.identity.accounts import Account

#: Ways of authentication.
AUTH = ("none", "keystone", "http_basic")

#: Enabled hardware interfaces by kind; a kind's first one is the default.
ENABLED_INTERFACES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "bios": ("fake", "no-bios"),
        "boot": ("fake",),
        "console": ("fake", "no-console"),
        "deploy": ("fake",),
        "firmware": ("fake", "no-firmware"),
        "inspect": ("fake", "no-inspect"),
        "management": ("fake",),
        "network": ("noop", "flat"),
        "power": ("fake",),
        "raid": ("fake", "no-raid"),
        "rescue": ("fake", "no-rescue"),
        "storage": ("fake", "noop", "external", "cinder"),
        "vendor": ("fake", "no-vendor"),
    }
)


#: Where the agents of nodes come from.
AGENTS = ("none", "external", "simulated")


@dataclass(frozen=True, slots=True)
class Settings:
    """The options of one server.

    :param dialect: ``ironic`` or ``spec``.
    :param max_minor: highest minor version that is offered.
    :param delay: seconds that each transition of a node takes.
    :param interfaces: enabled interfaces by kind (``deploy``, ``network``, …).
    :param automated_clean: whether ``provide`` passes through cleaning.
    :param default_network_provider: the network interface of nodes that name none.
    :param provisioning_network: name or id of the network for deploying.
    :param cleaning_network: name or id of the network for cleaning.
    :param agent: where the agents of nodes come from: there are none, so that none can be booted
        (``none``), from another program that sends their heartbeats (``external``), or from the
        server itself (``simulated``).
    :param agent_tls: whether agents have to be reached by HTTPS.
    :param host: name of the conductor, as nodes and locks show it.
    :param body_limit: the largest body of a request in bytes; larger by Ironic's factors where
        Ironic takes more.
    :param auth: how requests are authenticated: not at all (``none``), by a token of the server's
        own Keystone (``keystone``), or by name and password (``http_basic``).
    :param accounts: the users of the server.
    :param placement_sync: seconds between two reports of all nodes to Placement, which undo what
        was edited there by hand.
    :param max_compute_minor: highest minor version of the Compute API that is offered.
    :param old_compute: whether to simulate a compute service of Nova from before attach modes.
    :param show_volume_secrets: whether volume targets show ``auth_password``, as in Ironic before
        39.
    :param control_token: the token that ``/_fake/`` requires in ``X-Fake-Token``; without one,
        the controls answer on the loopback interface only.
    :param healthcheck: whether there is ``/healthcheck``.
    :param tls: the files of a certificate and of its private key in PEM, with which the server
        speaks HTTPS; or ``auto``, for a certificate that is made for it.
    """

    dialect: str = "ironic"
    max_minor: int = microversions.MAXIMUM
    delay: float = 0.0
    interfaces: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: ENABLED_INTERFACES)
    automated_clean: bool = False
    default_network_provider: str | None = None
    provisioning_network: str | None = None
    cleaning_network: str | None = None
    agent: str = "none"
    agent_tls: bool = True
    host: str = "localhost"
    body_limit: int = 1024 * 1024
    auth: str = "none"
    accounts: tuple[Account, ...] = accounts.DEFAULT
    placement_sync: float = 5.0
    max_compute_minor: int = compute_microversions.MAXIMUM
    old_compute: bool = False
    show_volume_secrets: bool = False
    control_token: str | None = None
    healthcheck: bool = False
    tls: Literal["auto"] | tuple[str, str] | None = None
