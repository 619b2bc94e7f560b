"""Images, described by their references; nothing is downloaded."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import urlparse

from fake_server.baremetal.errors import InvalidParameterValue
from fake_server.common.formats import is_uuid

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

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
        raise InvalidParameterValue(
            f"Validation of image href {source} failed, reason: {exc}"
        ) from None
    if scheme in _SCHEMES or is_uuid(source):
        return
    reason = (
        f"Image download protocol {scheme} is not supported."
        if scheme
        else "Scheme-less image href is not a UUID."
    )
    raise InvalidParameterValue(f"Validation of image href {source} failed, reason: {reason}")


def is_whole_disk(
    instance_info: Mapping[str, Any], in_glance: Callable[[str], Mapping[str, Any] | None]
) -> bool | None:
    """Return whether the image of an instance is of a whole disk; ``None`` if that is unknown.

    :param in_glance: returns the properties of an image that the Image service has.
    :raises InvalidParameterValue: for a reference that can't be followed.
    """
    source = instance_info.get("image_source")
    if not source:
        return None
    if instance_info.get("image_type"):
        return bool(instance_info["image_type"] != PARTITION)
    check_reference(source)
    if is_in_glance(source):
        properties = in_glance(source.rpartition("/")[2])
        if properties is None:
            return None
        if properties.get("img_type"):
            return bool(properties["img_type"] != PARTITION)
        return not properties.get("kernel_id") and not properties.get("ramdisk_id")
    if source.startswith("oci://"):
        return True
    return not instance_info.get("kernel") and not instance_info.get("ramdisk")
