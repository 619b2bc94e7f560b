"""The settings of a server."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from fake_server.baremetal import conductor_hosts, hardware_types, microversions, periodic
from fake_server.baremetal.conductor_hosts import ConductorHost
from fake_server.compute import microversions as compute_microversions
from fake_server.identity import accounts

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fake_server.identity.accounts import Account

__all__ = ["AGENTS", "AUTH", "ENABLED_INTERFACES", "ConductorHost", "Settings"]

#: Ways of authentication.
AUTH = ("none", "keystone", "http_basic")

#: The interfaces by kind that are enabled with ``fake-hardware`` alone.
ENABLED_INTERFACES = hardware_types.ENABLED_INTERFACES

#: Network interfaces that are enabled in a cloud, besides those of the hardware types.
_CLOUD_NETWORKS = ("noop", "flat", "neutron")

#: Where the agents of nodes come from.
AGENTS = ("none", "external", "simulated")


@dataclass(frozen=True, slots=True)
class Settings:
    """The options of one server.

    :param dialect: ``ironic`` or ``spec``.
    :param max_minor: newest minor version of the Bare Metal API to offer.
    :param delay: seconds that each transition of a node takes.
    :param hardware_types: enabled hardware types, the default of seeds first; by default all that
        have an enabled interface of each kind.
    :param interfaces: enabled interfaces by kind (``deploy``, ``network``, …); a kind that is left
        out has those of the hardware types, and with Keystone also all of ``network``.
    :param automated_clean: whether nodes are cleaned at ``provide`` and ``undeploy``.
    :param default_network_provider: network interface of nodes that are created without one.
    :param provisioning_network: name or id of the network for deploying; ``provisioning`` by
        default with Keystone.
    :param cleaning_network: name or id of the network for cleaning; ``cleaning`` by default with
        Keystone.
    :param agent: ``none``: no agent can be booted; ``external``: another program sends their
        heartbeats; ``simulated``: the server simulates them.
    :param agent_tls: whether URLs of agents have to be HTTPS.
    :param deploy_http_url: the URL from which machines fetch images; empty for a
        conductor that serves none.
    :param host: host name of the conductor; with ``conductors``, that of the first one.
    :param conductors: the conductors, each with its conductor group and its hardware types; one
        without a group by default.
    :param periodic: Ironic's options of periodic tasks, in seconds; those that are left out have
        Ironic's defaults. ``all`` stands for all that turn a task off with 0.
    :param body_limit: maximum bytes of a request body; larger by Ironic's factors for requests of
        which Ironic accepts more.
    :param auth: how requests are authenticated: not at all (``none``), with a token of the server's
        own Keystone (``keystone``), or with user name and password (``http_basic``).
    :param accounts: the users of the server.
    :param placement_sync: seconds between two reports of all nodes to Placement, which undo changes
        made there by hand.
    :param max_compute_minor: newest minor version of the Compute API to offer.
    :param old_compute: whether to simulate a Nova compute service that is too old for attach modes.
    :param show_volume_secrets: whether volume targets show ``auth_password``, as in Ironic before
        39.
    :param random_seed: seed of UUIDs, tokens, MAC addresses and request ids; the same requests get
        the same ones in each run. It needs a database in memory.
    :param control_token: token that ``/_fake/`` requires in ``X-Fake-Token``; without one, the
        controls can only be used on the loopback interface.
    :param healthcheck: whether to serve ``/healthcheck``.
    :param tls: the files of a certificate and of its private key in PEM, with which the server
        serves HTTPS; or ``auto``, for a new certificate.
    """

    dialect: str = "ironic"
    max_minor: int = microversions.MAXIMUM
    delay: float = 0.0
    hardware_types: tuple[str, ...] = ()
    interfaces: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    automated_clean: bool = False
    default_network_provider: str | None = None
    provisioning_network: str | None = None
    cleaning_network: str | None = None
    agent: str = "none"
    agent_tls: bool = True
    deploy_http_url: str = "http://127.0.0.1:8080"
    host: str = "localhost"
    conductors: tuple[ConductorHost, ...] = ()
    periodic: Mapping[str, float] = field(default_factory=dict)
    body_limit: int = 1024 * 1024
    auth: str = "none"
    accounts: tuple[Account, ...] = accounts.DEFAULT
    placement_sync: float = 5.0
    max_compute_minor: int = compute_microversions.MAXIMUM
    old_compute: bool = False
    show_volume_secrets: bool = False
    random_seed: int | None = None
    control_token: str | None = None
    healthcheck: bool = False
    tls: Literal["auto"] | tuple[str, str] | None = None

    def __post_init__(self) -> None:
        """Enable the hardware types, the interfaces that they need, and the networks of a cloud.

        :raises ValueError: for an unknown hardware type or an empty name, and for invalid
            conductors or options of periodic tasks.
        """
        unknown = [name for name in self.hardware_types if name not in hardware_types.TYPES]
        if unknown:
            raise ValueError(
                f"Unknown hardware types: {', '.join(map(repr, unknown))}. Known hardware types: "
                f"{', '.join(hardware_types.TYPES)}."
            )
        # The class is frozen.
        if not self.hardware_types:
            found = hardware_types.types_with(self.interfaces)
            object.__setattr__(self, "hardware_types", found)
        usual = hardware_types.enabled_interfaces(self.hardware_types)
        hosts = self.conductors or (ConductorHost(self.host),)
        object.__setattr__(self, "conductors", conductor_hosts.checked(hosts, self.hardware_types))
        object.__setattr__(self, "host", hosts[0].hostname)
        object.__setattr__(self, "periodic", periodic.completed(self.periodic))
        if self.auth == "keystone":
            usual["network"] = tuple(dict.fromkeys((*usual["network"], *_CLOUD_NETWORKS)))
            for name in ("provisioning_network", "cleaning_network"):
                if getattr(self, name) is None:
                    object.__setattr__(self, name, name.removesuffix("_network"))
        object.__setattr__(self, "interfaces", {**usual, **self.interfaces})
