"""Images, described by their references; nothing is downloaded."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import urlparse

from fake_server.baremetal import errors
from fake_server.common.formats import is_uuid

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fake_server.baremetal.task.protocol import Task
    from fake_server.db.store import Record

PARTITION = "partition"
WHOLE_DISK = "whole-disk"
_SCHEMES = ("http", "https", "file", "glance", "oci")


def is_in_glance(source: Any) -> bool:
    """Return whether a reference is one to the Image service."""
    return isinstance(source, str) and (source.startswith("glance://") or is_uuid(source))


def check_reference(source: Any) -> None:
    """Raise InvalidParameterValue for a reference that Ironic can't follow (and fails at)."""
    try:
        scheme = urlparse(source).scheme.lower() if isinstance(source, str) else ""
    except ValueError as exc:
        raise errors.InvalidParameterValue(
            f"Validation of image href {source} failed, reason: {exc}"
        ) from None
    if scheme in _SCHEMES or is_uuid(source):
        return
    reason = (
        f"Image download protocol {scheme} is not supported."
        if scheme
        else "Scheme-less image href is not a UUID."
    )
    raise errors.InvalidParameterValue(
        f"Validation of image href {source} failed, reason: {reason}"
    )


def check_named(node: Record) -> str:
    """Return the image that the instance of a node names; raise MissingParameterValue for none."""
    source = node["instance_info"].get("image_source")
    if not source:
        raise errors.MissingParameterValue(
            f"Node {node['uuid']} failed to validate deploy image info. Some parameters were "
            "missing. Missing are: ['instance_info.image_source']"
        )
    return str(source)


def find_in_glance(task: Task, source: Any) -> Mapping[str, Any] | None:
    """Return the image that a reference names, if the Image service has it."""
    if not is_in_glance(source):
        return None
    from fake_server.image import client  # few deployments need the Image service

    return client.find(task.session.tx, source.rpartition("/")[2])


def download_source(node: Record) -> Any:
    """Return how the agent gets at the image: ``http``, ``local`` or ``swift``."""
    return (
        node["instance_info"].get("image_download_source")
        or node["driver_info"].get("image_download_source")
        or "http"
    )


def is_served_here(node: Record, source: str) -> bool:
    """Return whether the conductor serves an image that isn't in Glance to the agent."""
    return source.startswith("file://") or download_source(node) == "local"


def note_address(task: Task) -> None:
    """Note type and address of the image, and what Glance knows of it, in ``instance_info``.

    :raises ImageNotFound: if Glance doesn't have it.
    """
    node, info = task.node, task.node["instance_info"]
    source = check_named(node)
    whole = task.internal.get("is_whole_disk_image")
    info["image_type"] = WHOLE_DISK if whole else PARTITION
    info["image_url"] = source
    in_glance = is_in_glance(source)
    if in_glance or is_served_here(node, source):
        # The conductor converts what it serves into the format raw.
        info["image_url"] = f"{task.session.settings.deploy_http_url}/agent_images/{node['uuid']}"
        info["image_disk_format"] = "raw"
    if in_glance:
        image = find_in_glance(task, source)
        if image is None:
            raise errors.ImageNotFound(image_id=source)
        is_raw = image["disk_format"] == "raw"
        info |= {
            "image_checksum": image["checksum"] if is_raw else None,
            "image_os_hash_algo": image["os_hash_algo"],
            "image_os_hash_value": image["os_hash_value"],
            "image_container_format": image["container_format"],
            "image_tags": image["tags"],
            "image_properties": image["properties"],
        }
    task.save()


def is_whole_disk(task: Task) -> bool | None:
    """Return whether the image of an instance is of a whole disk; ``None`` if that is unknown.

    :raises InvalidParameterValue: for a reference that can't be followed.
    """
    instance_info = task.node["instance_info"]
    source = instance_info.get("image_source")
    if not source:
        return None
    if instance_info.get("image_type"):
        return bool(instance_info["image_type"] != PARTITION)
    check_reference(source)
    if is_in_glance(source):
        image = find_in_glance(task, source)
        if image is None:
            return None
        properties = image["properties"]
        if properties.get("img_type"):
            return bool(properties["img_type"] != PARTITION)
        return not properties.get("kernel_id") and not properties.get("ramdisk_id")
    if source.startswith("oci://"):
        return True
    return not instance_info.get("kernel") and not instance_info.get("ramdisk")
