"""The settings of a server."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

from fake_server import setting_fields as of
from fake_server.baremetal import conductor_hosts, hardware_types, microversions, periodic
from fake_server.baremetal.conductor_hosts import ConductorHost
from fake_server.common.setting_error import SettingError
from fake_server.compute import microversions as compute_microversions
from fake_server.identity import accounts

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fake_server.identity.accounts import Account

__all__ = ["ENABLED_INTERFACES", "ConductorHost", "Settings"]

#: The interfaces by kind that are enabled with ``fake-hardware`` alone.
ENABLED_INTERFACES = hardware_types.ENABLED_INTERFACES

#: Network interfaces that are enabled in a cloud, besides those of the hardware types.
_CLOUD_NETWORKS = ("noop", "flat", "neutron")
#: Names of network interfaces in the specifications that differ from those of Ironic.
_PROVIDER_NAMES = {"none": "noop"}
#: What ``--agent simulated`` boots from where nothing else is named; nobody fetches it.
_SIMULATED_IMAGES = {
    "deploy_kernel": "file:///images/agent.kernel",
    "deploy_ramdisk": "file:///images/agent.initramfs",
    "rescue_kernel": "file:///images/agent.kernel",
    "rescue_ramdisk": "file:///images/agent.initramfs",
    "bootloader": "file:///images/esp.img",
}


@dataclass(frozen=True, slots=True)
class Settings:
    """The options of one server."""

    dialect: str = of.api(
        "ironic", "--dialect ironic|spec", "answer as the released Ironic, or as its specifications"
    )
    max_minor: int = of.api(
        microversions.MAXIMUM,
        "--max-microversion 1.N",
        "newest minor version of the Bare Metal API to offer",
        shown="that of Ironic 39",
    )
    delay: float | str = of.nodes(
        0.0,
        "--delay DELAY",
        "seconds that each transition of a node takes, and creating a volume",
    )
    delay_seed: int | None = of.nodes(
        None,
        "--delay-seed N",
        "seed of delays and outcomes that are drawn at random",
        shown="a number of each database, which the list of requests tells",
    )
    hardware_types: tuple[str, ...] = of.hardware(
        (),
        "--enabled-hardware-types NAMES",
        f"enabled hardware types, the default of seeds first: {', '.join(hardware_types.TYPES)}",
        shown="all that have an enabled interface of each kind",
    )
    added_hardware_types: Mapping[str, str] = of.hardware(
        dict,
        "--hardware-type NAME=like:TYPE",
        "one more enabled hardware type, which is like a known one but for its name. Can be "
        "repeated",
        python="more enabled hardware types by name, and the known one that each is like",
    )
    interfaces: Mapping[str, tuple[str, ...]] = of.hardware(
        dict,
        "--enabled-{kind}-interfaces NAMES",
        "enabled {kind} interfaces",
        shown="those of the hardware types",
        python="enabled interfaces by kind, such as ``deploy``; a kind that is left out has the "
        "default, which with Keystone also has ``noop``, ``flat`` and ``neutron`` for ``network``",
    )
    automated_clean: bool = of.nodes(
        False,
        "--automated-clean",
        "clean nodes at 'provide' and 'undeploy' (in Ironic: [conductor]automated_clean)",
    )
    default_network_provider: str | None = of.nodes(
        None,
        "--default-network-provider NAME",
        "network interface of nodes that are created without one; 'none' means 'noop'",
    )
    provisioning_network: str | None = of.nodes(
        None,
        "--provisioning-network NAME|ID",
        "network for provisioning, created if it does not exist",
        shown="'provisioning' with Keystone",
    )
    cleaning_network: str | None = of.nodes(
        None,
        "--cleaning-network NAME|ID",
        "network for cleaning, created if it does not exist",
        shown="'cleaning' with Keystone",
    )
    agent: str = of.nodes(
        "simulated",
        "--agent simulated|external|none",
        "simulated: the server boots the agents and simulates them; external: another program "
        "sends their heartbeats; none: no agent can be booted",
    )
    deploy_kernel: str | None = of.image("deploy_kernel", "kernel of the agent")
    deploy_kernel_by_arch: Mapping[str, str] = of.images_by_architecture("deploy_kernel")
    deploy_ramdisk: str | None = of.image("deploy_ramdisk", "ramdisk of the agent")
    deploy_ramdisk_by_arch: Mapping[str, str] = of.images_by_architecture("deploy_ramdisk")
    rescue_kernel: str | None = of.image("rescue_kernel", "kernel of the agent for rescue")
    rescue_kernel_by_arch: Mapping[str, str] = of.images_by_architecture("rescue_kernel")
    rescue_ramdisk: str | None = of.image("rescue_ramdisk", "ramdisk of the agent for rescue")
    rescue_ramdisk_by_arch: Mapping[str, str] = of.images_by_architecture("rescue_ramdisk")
    bootloader: str | None = of.image("bootloader", "UEFI boot loader of virtual media")
    bootloader_by_arch: Mapping[str, str] = of.images_by_architecture("bootloader")
    agent_tls: bool = of.nodes(
        True,
        "--agent-without-tls",
        "accept agents with http:// URLs (in Ironic: [agent]require_tls = false)",
        python="whether URLs of agents have to be HTTPS",
    )
    deploy_http_url: str = of.nodes(
        "http://127.0.0.1:8080",
        "--deploy-http-url URL",
        "URL from which machines fetch images (in Ironic: [deploy]http_url), '' for a conductor "
        "that serves none",
    )
    host: str = of.setting(
        "",
        "localhost",
        "",
        "host name of the conductor; with ``conductors``, that of the first one",
    )
    conductors: tuple[ConductorHost, ...] = of.conductors(
        (),
        "--conductors HOST[:GROUP[:TYPES]],…",
        "host name of each conductor, and optionally its conductor group and its hardware types, "
        "such as host1:rack1,host2:rack1:ipmi+redfish,host3",
        shown="localhost",
        python="the conductors, each with its conductor group and its hardware types",
    )
    periodic: Mapping[str, float] = of.conductors(
        dict,
        "--periodic NAME=DURATION",
        "option of Ironic's periodic tasks, 0 to turn it off. Can be repeated. NAME is 'all' or "
        f"one of {', '.join(periodic.DEFAULTS)}",
        shown="as in Ironic",
        python="options of Ironic's periodic tasks, in seconds; 'all' stands for all that turn a "
        "task off with 0",
    )
    disallow_clean_steps: tuple[str, ...] = of.disallowed("clean")
    disallow_deploy_steps: tuple[str, ...] = of.disallowed("deploy")
    disallow_service_steps: tuple[str, ...] = of.disallowed("service")
    pre_create_ports: bool = of.hardware(
        True,
        "--without-pre-created-ports",
        "create no ports for the network cards that a Redfish controller tells of before an agent "
        "inspects (in Ironic: [inspector]pre_create_ports = false)",
        python="whether ports are created for the network cards that a Redfish controller tells "
        "of, before an agent inspects",
    )
    ramdisk_endpoints: bool = of.api(
        True,
        "--without-ramdisk-endpoints",
        "refuse lookups, heartbeats and reports of agents (in Ironic: "
        "[api]enable_ramdisk_endpoints = false)",
        python="whether lookups, heartbeats and reports of agents are accepted",
    )
    json_depth: int = of.api(
        25,
        "--max-json-depth LEVELS",
        "maximum depth of JSON in a request to Ironic, at least 8 (in Ironic: "
        "[api]max_json_body_depth)",
    )
    body_limit: int = of.setting(
        "requests",
        1024 * 1024,
        "--body-limit BYTES",
        "maximum size of a request body in bytes; larger by Ironic's factors for requests of which "
        "Ironic accepts more",
        shown="1 MiB",
    )
    auth: str = of.authentication(
        "none",
        "--auth none|keystone|http_basic",
        "how requests are authenticated: not at all, with a token of the server's own Keystone, or "
        "with user name and password",
    )
    accounts: tuple[Account, ...] = of.authentication(
        accounts.DEFAULT,
        "--accounts FILE",
        "YAML or JSON file with the users, their passwords and roles",
        shown="the users in the documentation",
        python="the users of the server",
    )
    policies: Mapping[str, str] = of.authentication(
        dict,
        "--policy FILE",
        "YAML or JSON file of oslo.policy with checks by the names of Ironic's policies, for "
        "--auth keystone",
        shown="Ironic's",
        python="checks by the names of Ironic's policies, as in a file of oslo.policy; they "
        "replace Ironic's own",
    )
    placement_sync: float = of.compute(
        5.0,
        "--placement-sync DURATION",
        "seconds between two reports of all nodes to Placement, which undo changes made there by "
        "hand",
    )
    max_compute_minor: int = of.compute(
        compute_microversions.MAXIMUM,
        "--max-compute-microversion 2.N",
        "newest minor version of the Compute API to offer",
        shown=f"2.{compute_microversions.MAXIMUM}",
    )
    image_stores: tuple[str, ...] = of.compute(
        (),
        "--image-stores NAMES",
        "stores of Glance by name, the default first (in Glance: enabled_backends)",
        shown="one without a name",
    )
    old_compute: bool = of.compute(
        False, "--old-compute", "simulate a Nova compute service that is too old for attach modes"
    )
    show_volume_secrets: bool = of.compute(
        False,
        "--show-volume-secrets",
        "show auth_password of volume targets in clear text, as Ironic before 39 does",
    )
    random_seed: int | None = of.setting(
        "database",
        None,
        "--random-seed N",
        "seed of UUIDs, tokens, MAC addresses and request ids: the same requests get the same ones "
        "in each run; it needs a database in memory",
    )
    control_token: str | None = of.authentication(
        None,
        "--control-token TOKEN",
        "token that /_fake/ requires in X-Fake-Token",
        shown="none on the loopback interface, else a random one that is printed on standard error",
    )
    allowed_origins: tuple[str, ...] = of.authentication(
        (),
        "--allowed-origins ORIGINS",
        "other origins, such as http://localhost:8080, whose pages may send requests that change "
        "something; '*' for all",
        shown="none",
    )
    healthcheck: bool = of.api(
        False, "--healthcheck", "serve /healthcheck (in Ironic: [healthcheck]enabled)"
    )
    tls: Literal["auto"] | tuple[str, str] | None = of.setting(
        "address",
        None,
        "--tls auto",
        "serve HTTPS with a new certificate for localhost and --host; standard error names the "
        "file of its CA, and 'exec' sets OS_CACERT to it",
        python="the files of a certificate and of its private key in PEM, with which the server "
        "serves HTTPS; or ``auto``, for a new certificate",
    )

    def completed(self) -> Settings:
        """Return the settings with what follows from them, which each server does with its own.

        They have the hardware types that are enabled, the interfaces that these need, the
        conductors, all options of periodic tasks, the networks of a cloud, and the images of a
        simulated agent.

        :raises SettingError: for an unknown hardware type, a name that is empty or twice in a
            list, and for invalid conductors or options of periodic tasks.
        """
        self._check_lists()
        types = self._enabled_types()
        added = self.added_hardware_types
        interfaces = hardware_types.enabled_interfaces([added.get(name, name) for name in types])
        provisioning, cleaning = self.provisioning_network, self.cleaning_network
        if self.auth == "keystone":
            interfaces["network"] = (*dict.fromkeys((*interfaces["network"], *_CLOUD_NETWORKS)),)
            provisioning = "provisioning" if provisioning is None else provisioning
            cleaning = "cleaning" if cleaning is None else cleaning
        hosts = self.conductors or (ConductorHost(self.host),)
        provider = self.default_network_provider
        images: dict[str, Any] = {}
        if self.agent == "simulated":
            lacking = [name for name in _SIMULATED_IMAGES if getattr(self, name) is None]
            images = {name: _SIMULATED_IMAGES[name] for name in lacking}
        return replace(
            self,
            **images,
            hardware_types=types,
            interfaces={**interfaces, **self.interfaces},
            default_network_provider=_PROVIDER_NAMES.get(provider or "", provider),
            provisioning_network=provisioning,
            cleaning_network=cleaning,
            host=hosts[0].hostname,
            conductors=conductor_hosts.checked(hosts, types),
            periodic=periodic.completed(self.periodic),
        )

    def _check_lists(self) -> None:
        """Raise SettingError for a list that has the same name twice, or an empty one."""
        lists = {
            "hardware_types": self.hardware_types,
            "image_stores": self.image_stores,
            "allowed_origins": self.allowed_origins,
            **{f"interfaces.{kind}": names for kind, names in self.interfaces.items()},
        }
        for setting, names in lists.items():
            if len(set(names)) < len(names) or not all(names):
                shown = ", ".join(map(repr, names))
                raise SettingError(setting, f"Each needs a name of its own, but they are: {shown}.")

    def _enabled_types(self) -> tuple[str, ...]:
        """Return the enabled hardware types; raise SettingError for one that can't be."""
        added = self.added_hardware_types
        for name in added:
            if not name or hardware_types.named(name):
                raise SettingError(
                    "added_hardware_types",
                    f"The hardware type {name!r} can't be added: it needs a new name.",
                )
        wanted = [*added.values(), *(name for name in self.hardware_types if name not in added)]
        unknown = [name for name in wanted if not hardware_types.named(name)]
        if unknown:
            raise SettingError(
                "hardware_types",
                f"Unknown hardware types: {', '.join(map(repr, unknown))}. Known hardware types: "
                f"{', '.join([*hardware_types.TYPES, *hardware_types.packaged()])}.",
            )
        types = self.hardware_types or hardware_types.types_with(self.interfaces)
        return (*dict.fromkeys((*types, *added)),)


Settings.__doc__ = of.documented(Settings)
