"""Calls of the Compute API about servers and their volumes.

Compute API v2.1, sections "Servers" and "Servers with volume attachments". The attach mode is that
of the specification "Volume multiattach enhancements", in microversion 2.105.
"""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING, Any, Literal, cast

from baremetalclient import exc
from baremetalclient._http import urls
from baremetalclient._http.service import Service
from baremetalclient._resource.arguments import refuse_unknown
from baremetalclient._resource.fields import words_of
from baremetalclient.microversion import Version

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from baremetalclient._http.retry import Deadline
    from baremetalclient.compute.objects import (
        AttachMode,
        BlockDevice,
        Flavor,
        FlavorSummary,
        Server,
        VolumeAttachment,
    )

Networks = Literal["auto", "none"] | list[dict[str, Any]]
"""The networks of a server: ``auto``, ``none``, or a list of networks and ports."""

LOWEST = Version(2, 37)
"""The first version in which a server can be created without a network."""
ATTACH_MODE = Version(2, 105)
"""The first version with attach modes, and the newest that is used."""

FILTERS = (
    *("all_tenants", "availability_zone", "changes-before", "changes-since", "created_at"),
    *("deleted", "flavor", "host", "hostname", "image", "ip", "ip6", "key_name", "locked", "name"),
    *("node", "not-tags", "not-tags-any", "power_state", "project_id", "reservation_id"),
    *("sort_dir", "sort_key", "status", "tags", "tags-any", "task_state", "user_id", "uuid"),
    "vm_state",
)
"""The arguments of lists of servers: filters, and how to sort."""
_PAGE = 1000
_IMAGE = {
    "source_type": "image",
    "destination_type": "local",
    "boot_index": 0,
    "delete_on_termination": True,
}
"""What an image is among the block devices of a server that boots from it."""


class Compute(Service):
    """Calls for servers and their volumes; safe to share between threads."""

    version_path = "/v2.1"
    _offered: tuple[Version, Version] | None = None

    @property
    def offered(self) -> tuple[Version, Version]:
        """The lowest and the highest version that the service offers, requested once.

        :raises InvalidResponse: if the response has no versions.
        """
        return self._range(None)

    def _range(self, deadline: Deadline | None) -> tuple[Version, Version]:
        if self._offered is not None:
            return self._offered
        response = self._sender.send("GET", f"{self._base}/", deadline=deadline)
        found = response.object().get("version") or {}
        try:
            lowest, highest = (Version.parse(found[name]) for name in ("min_version", "version"))
        except (TypeError, KeyError, exc.ValidationError):
            raise response.invalid("the versions of a Compute API") from None
        self._offered = lowest, highest
        return self._offered

    @property
    def version(self) -> Version:
        """The newest version that client and service support.

        :raises UnsupportedVersion: if the service is too old.
        """
        highest = self.offered[1]
        if highest < LOWEST:
            raise exc.UnsupportedVersion(
                f"Version {LOWEST} of the Compute API is needed, but this cloud's Nova offers "
                f"{self.offered[0]} to {highest}.",
                required=LOWEST,
                server_range=self.offered,
            )
        return min(highest, ATTACH_MODE)

    def require_attach_mode(self) -> None:
        """Check that the service supports attach modes.

        :raises UnsupportedVersion: if it is too old.
        """
        if self.version < ATTACH_MODE:
            raise exc.UnsupportedVersion(
                f"Attach modes need version {ATTACH_MODE} of the Compute API, but this cloud's "
                f"Nova offers {self.offered[0]} to {self.offered[1]}. Without an attach mode, "
                "volumes are attached read-write.",
                feature="attach_mode",
                required=ATTACH_MODE,
                version=self.version,
                server_range=self.offered,
            )

    def _version_header(self, deadline: Deadline | None) -> str:
        self._range(deadline)
        return f"compute {self.version}"

    def servers(
        self, *, deadline: float | Deadline | None = None, **filters: str | int | bool | None
    ) -> list[Server]:
        """Return servers with all their fields, the newest first.

        :param deadline: the seconds that it may take.
        :param filters: names in ``FILTERS``, such as ``status``, ``name`` (a regular expression) or
            ``all_tenants``.
        :raises TypeError: if a filter is unknown; Nova would ignore it.
        """
        refuse_unknown("Compute.servers", filters, FILTERS)
        return self._servers(filters, self._policy.start_deadline(deadline))

    def _servers(
        self, filters: Mapping[str, urls.QueryValue], deadline: Deadline | None
    ) -> list[Server]:
        found: list[Server] = []
        marker = None
        while True:
            query = urls.query({**filters, "limit": _PAGE, "marker": marker})
            response = self._request("GET", f"/servers/detail{query}", deadline=deadline)
            page = response.items("servers", dict, "id")
            found += page
            if len(page) < _PAGE:
                return found
            marker = page[-1]["id"]

    def server(self, ident: str, *, deadline: float | Deadline | None = None) -> Server:
        """Return a server.

        :param ident: its id.
        :param deadline: the seconds that it may take.
        :raises NotFound: if there is none.
        """
        path = f"/servers/{urls.segment(ident, 'server')}"
        return cast("Server", self._request_object("GET", path, "server", deadline=deadline))

    def create(
        self,
        name: str,
        flavor_id: str,
        *,
        image_id: str | None = None,
        block_devices: Sequence[BlockDevice] | Sequence[Mapping[str, Any]] = (),
        networks: Networks = "auto",
        count: int = 1,
        key_name: str | None = None,
        user_data: bytes | None = None,
        config_drive: bool = False,
        metadata: Mapping[str, str] | None = None,
        availability_zone: str | None = None,
    ) -> list[Server]:
        """Create servers and return them.

        :param name: their name; several servers get a number after it.
        :param flavor_id: the id of the flavor.
        :param image_id: the id of the image to boot from, if there is one.
        :param block_devices: mappings as in ``block_device_mapping_v2``: ``uuid``, ``source_type``,
            ``destination_type``, ``boot_index``, ``attach_mode`` and so on.
        :param networks: ``auto``, ``none``, or a list of objects with ``uuid`` or ``port``.
        :param count: the number of servers.
        :param key_name: the key pair to log in with.
        :param user_data: the user data for the config drive.
        :param config_drive: whether to attach a config drive even if nothing needs it.
        :param metadata: key and value pairs.
        :param availability_zone: the availability zone.
        :raises ValidationError: if a block device is invalid; nothing was sent.
        :raises UnsupportedVersion: if there is an attach mode and Nova is too old for it.
        :raises LeftBehind: if they were created, but could not be fetched afterwards.
        """
        devices = [self._checked_device(device) for device in block_devices]
        if image_id and devices and all(device.get("boot_index") != 0 for device in devices):
            # Beside other devices, Nova wants the image as one of them.
            devices.insert(0, {**_IMAGE, "uuid": image_id})
        wanted = {
            "name": name,
            "flavorRef": flavor_id,
            "networks": networks,
            "min_count": count,
            "max_count": count,
            "return_reservation_id": True,
            "imageRef": image_id,
            "block_device_mapping_v2": devices or None,
            "key_name": key_name,
            "user_data": None if user_data is None else base64.b64encode(user_data).decode(),
            "config_drive": config_drive or None,
            "metadata": dict(metadata) if metadata else None,
            "availability_zone": availability_zone,
        }
        deadline = self._policy.start_deadline()
        response = self._request("POST", "/servers", {"server": _without_nones(wanted)}, deadline)
        reservation = response.object().get("reservation_id")
        if not isinstance(reservation, str):
            raise response.invalid("an object with a 'reservation_id'")
        try:
            return self._servers({"reservation_id": reservation}, deadline)[::-1]
        except exc.ClientException as error:
            raise exc.LeftBehind(
                f"The servers {name!r} are being created, but could not be fetched: {error} "
                "Don't create them again; list the servers with reservation_id "
                f"{reservation!r}."
            ) from error

    def delete(self, ident: str) -> None:
        """Delete a server.

        :param ident: its id.
        :raises NotFound: if there is none.
        """
        self._request("DELETE", f"/servers/{urls.segment(ident, 'server')}")

    def flavor(self, ident: str) -> Flavor:
        """Return a flavor.

        :param ident: its id.
        :raises NotFound: if there is none.
        """
        path = f"/flavors/{urls.segment(ident, 'flavor')}"
        return cast("Flavor", self._request_object("GET", path, "flavor"))

    def flavors(self) -> list[FlavorSummary]:
        """Return the flavors."""
        return self._request("GET", "/flavors").items("flavors", dict, "id")

    def attachments(self, server_id: str) -> list[VolumeAttachment]:
        """Return the volumes of a server, with ``attach_mode`` if Nova supports it.

        :param server_id: its id.
        :raises NotFound: if the server does not exist.
        """
        response = self._request("GET", _attachments(server_id))
        return response.items("volumeAttachments", dict, "volumeId")

    def attachment(self, server_id: str, volume_id: str) -> VolumeAttachment:
        """Return a volume of a server.

        :raises NotFound: if the server does not exist or does not have the volume.
        """
        path = _attachments(server_id, volume_id)
        found = self._request_object("GET", path, "volumeAttachment", ident="volumeId")
        return cast("VolumeAttachment", found)

    def attach(
        self,
        server_id: str,
        volume_id: str,
        *,
        mode: AttachMode | None = None,
        device: str | None = None,
        tag: str | None = None,
        delete_on_termination: bool = False,
    ) -> None:
        """Attach a volume to a server.

        :param server_id: the id of the server.
        :param volume_id: the id of the volume.
        :param mode: ``rw`` for read and write, which is the default, ``ro`` for read only.
        :param device: the device name in the server, such as ``/dev/sdb``.
        :param tag: a device tag, which the server finds in its metadata.
        :param delete_on_termination: whether the volume is deleted with the server.
        :raises UnsupportedVersion: if there is a mode and Nova is too old for it.
        :raises Conflict: if the state of the server does not allow it, or its compute service is
            too old.
        """
        if mode is not None:
            self.require_attach_mode()
            _check_mode(mode)
        wanted = {
            "volumeId": volume_id,
            "attach_mode": mode,
            "device": device,
            "tag": tag,
            "delete_on_termination": delete_on_termination or None,
        }
        body = {"volumeAttachment": _without_nones(wanted)}
        self._request("POST", _attachments(server_id), body)

    def swap(self, server_id: str, volume_id: str, new_volume_id: str) -> None:
        """Replace a volume of a server by another one, attached in the same mode.

        :param server_id: the id of the server.
        :param volume_id: the id of the volume to replace.
        :param new_volume_id: the id of the new volume.
        """
        body = {"volumeAttachment": {"volumeId": new_volume_id}}
        self._request("PUT", _attachments(server_id, volume_id), body)

    def keep_volume(self, server_id: str, volume_id: str, *, keep: bool) -> None:
        """Set whether a volume is kept when its server is deleted."""
        wanted = {"volumeId": volume_id, "delete_on_termination": not keep}
        self._request("PUT", _attachments(server_id, volume_id), {"volumeAttachment": wanted})

    def detach(self, server_id: str, volume_id: str) -> None:
        """Detach a volume from a server.

        :raises NotFound: if the server does not exist or does not have the volume.
        """
        self._request("DELETE", _attachments(server_id, volume_id))

    def _checked_device(self, device: Mapping[str, Any]) -> dict[str, Any]:
        mode = device.get("attach_mode")
        if mode is None:
            return {key: value for key, value in device.items() if key != "attach_mode"}
        _check_mode(mode)
        if device.get("destination_type") == "local":
            raise exc.ValidationError(
                "A block device with destination_type 'local' cannot have an attach mode."
            )
        self.require_attach_mode()
        return dict(device)


def _attachments(server_id: str, volume_id: str | None = None) -> str:
    path = f"/servers/{urls.segment(server_id, 'server')}/os-volume_attachments"
    return path if volume_id is None else f"{path}/{urls.segment(volume_id, 'volume')}"


def _check_mode(mode: str) -> None:
    known = words_of("baremetalclient.compute.objects", "AttachMode", closed=True)
    if mode not in known:
        raise exc.ValidationError(
            f"Unknown attach mode {mode!r}. Known modes: {', '.join(map(repr, known))}."
        )


def _without_nones(wanted: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in wanted.items() if value is not None}
