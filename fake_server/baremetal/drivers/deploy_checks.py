"""Validate what a deployment through an agent needs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.baremetal import errors
from fake_server.baremetal.drivers import images
from fake_server.baremetal.models.node_properties import capability, instance_capabilities

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fake_server.baremetal.task.protocol import Task

_CAPABILITIES: Mapping[str, tuple[str, ...]] = {
    "boot_mode": ("bios", "uefi"),
    "secure_boot": ("true", "false"),
    "disk_label": ("msdos", "gpt"),
}


def check_capabilities(task: Task) -> None:
    """Raise InvalidParameterValue for unknown values of the capabilities for booting."""
    for name, valid in _CAPABILITIES.items():
        fields = (
            ("properties/capabilities", capability(task.node, name)),
            ("instance_info['capabilities']", instance_capabilities(task.node).get(name)),
        )
        for field, value in fields:
            if value and value not in valid:
                raise errors.InvalidParameterValue(
                    f"The parameter '{name}' from {field} has an invalid value: '{value}'. "
                    f"Acceptable values are: {', '.join(valid)}."
                )


def check_checksum(info: Mapping[str, Any], uuid: str) -> None:
    """Check that there is a checksum of the image.

    :param info: the ``instance_info`` of a node.
    :raises MissingParameterValue: if there is none.
    """
    algorithm, value = info.get("image_os_hash_algo"), info.get("image_os_hash_value")
    if bool(algorithm) != bool(value) or (not value and not info.get("image_checksum")):
        raise errors.MissingParameterValue(
            'image_source\'s "image_checksum", or "image_os_hash_algo" and "image_os_hash_value" '
            f"must be provided in instance_info for node {uuid}"
        )


def check_download(task: Task, source: str) -> None:
    """Check that the agent can get at the image.

    :param source: source of the image.
    :raises InvalidParameterValue: for a way that there isn't.
    :raises MissingParameterValue: for a way that needs options which aren't set.
    """
    node = task.node
    how = images.download_source(node)
    if how not in ("swift", "http", "local"):
        raise errors.InvalidParameterValue(
            f'Invalid value for image_download_source: "{how}". Valid values are swift, http or '
            "local."
        )
    from_glance = images.is_in_glance(source) and how != "swift"
    served_here = from_glance or images.is_served_here(node, source)
    if served_here and not task.session.settings.deploy_http_url:
        raise errors.MissingParameterValue(
            f"Node {node['uuid']} failed to validate http provisioning. Some configuration options "
            "were missing. Missing are: ['[deploy]http_url']"
        )


def check_proxies(task: Task) -> None:
    """Raise InvalidParameterValue for wrong proxies of the agent, naming all errors."""
    info = task.node["driver_info"]
    invalid = {
        name: info[name]
        for name in ("image_http_proxy", "image_https_proxy")
        if info.get(name)
        and (":" in str(info[name]))
        and str(info[name]).partition(":")[0] not in ("http", "https")
    }
    text = ""
    if invalid:
        text += (
            "Proxy URL should either have HTTP(S) scheme or no scheme at all, the following URLs "
            f"are invalid: {invalid}."
        )
    exempt = info.get("image_no_proxy")
    if exempt is not None and not _is_host_list(exempt):
        text += (
            "image_no_proxy should be a list of host names, IP addresses or domain names to "
            f"exclude from proxying, the specified list {exempt} is incorrect. To denote a domain "
            "name, prefix it with a dot (instead of e.g. '.*')."
        )
    if text:
        raise errors.InvalidParameterValue(text)


def check_boot_volume(task: Task) -> None:
    """Raise StorageError if the node lacks the capability to boot from its boot volume."""
    volume = next((row for row in task.volume_targets if row["boot_index"] == 0), None)
    if volume is None:
        return
    kind = str(volume["volume_type"]).lower()
    known = _parse_capabilities(task.node["properties"].get("capabilities"))
    name = {"iscsi": "iSCSI", "fibre_channel": "Fibre Channel"}.get(kind)
    if name and f"{kind}_boot" not in known:
        article = "an" if kind == "iscsi" else "a"
        raise errors.StorageError(
            f"Node {task.node['uuid']} has {article} {name} boot volume defined and no {name} boot "
            "support available."
        )


def _is_host_list(text: Any) -> bool:
    if not isinstance(text, str):
        return False
    hosts = (item.strip().partition(":")[0] for item in text.split(","))
    return all(_is_host(host.removeprefix(".")) for host in hosts if host)


def _is_host(host: str) -> bool:
    return len(host) <= 253 and all(
        1 <= len(part) <= 63
        and part.replace("-", "a").isalnum()
        and part.isascii()
        and not part.startswith("-")
        and not part.endswith("-")
        for part in host.split(".")
    )


def _parse_capabilities(text: Any) -> dict[str, str]:
    if not text:
        return {}
    if not isinstance(text, str):
        raise errors.InvalidParameterValue(
            f"Value of 'capabilities' must be string. Got {type(text)}"
        )
    known = {}
    for item in text.split(","):
        key, colon, value = item.partition(":")
        if not colon or ":" in value:
            raise errors.InvalidParameterValue(f"Malformed capabilities value: {item}")
        known[key] = value
    return known
