"""Calls of the Compute API about servers and their volumes.

Compute API v2.1, sections "Servers" and "Servers with volume attachments". The attach mode is that
of the specification "Volume multiattach enhancements", in microversion 2.105.
"""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING, Any, Literal

from baremetalclient import exc
from baremetalclient._http import urls
from baremetalclient._resource.arguments import refuse_unknown
from baremetalclient.compute.http import ComputeHTTPClient

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from baremetalclient._http.retry import Deadline
    from baremetalclient.block_storage.service import Mode

Networks = Literal["auto", "none"] | list[dict[str, Any]]
"""Connections of a server: whichever there is, none, or a list of them."""

MODES = ("ro", "rw")

FILTERS = (
    *("all_tenants", "availability_zone", "changes-before", "changes-since", "created_at"),
    *("deleted", "flavor", "host", "hostname", "image", "ip", "ip6", "key_name", "locked", "name"),
    *("node", "not-tags", "not-tags-any", "power_state", "project_id", "reservation_id"),
    *("sort_dir", "sort_key", "status", "tags", "tags-any", "task_state", "user_id", "uuid"),
    "vm_state",
)
"""What lists of servers can be narrowed by, and sorted."""
_PAGE = 1000


class Compute(ComputeHTTPClient):
    """Calls about servers and their volumes; threads may share it."""

    def servers(self, **filters: urls.QueryValue) -> list[dict[str, Any]]:
        """Return servers with all there is about them, the newest first.

        :param filters: what is in ``FILTERS``, such as ``status``, ``name`` (a regular expression)
            or ``all_tenants``.
        :raises TypeError: if there is no such filter; Nova would ignore it.
        """
        refuse_unknown("Compute.servers", filters, FILTERS)
        return self._servers(filters, self._policy.start_deadline())

    def _servers(
        self, filters: Mapping[str, urls.QueryValue], deadline: Deadline | None
    ) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = []
        marker = None
        while True:
            query = urls.query({**filters, "limit": _PAGE, "marker": marker})
            response = self._ask("GET", f"/servers/detail{query}", deadline=deadline)
            page = response.items("servers", dict)
            found += page
            if len(page) < _PAGE:
                return found
            marker = page[-1]["id"]

    def server(self, ident: str) -> dict[str, Any]:
        """Return a server.

        :param ident: its id.
        :raises NotFound: if there is none.
        """
        return self._one("GET", f"/servers/{urls.segment(ident, 'server')}", "server")

    def create(
        self,
        name: str,
        flavor_id: str,
        *,
        image_id: str | None = None,
        block_devices: Sequence[Mapping[str, Any]] = (),
        networks: Networks = "auto",
        count: int = 1,
        key_name: str | None = None,
        user_data: bytes | None = None,
        config_drive: bool = False,
        metadata: Mapping[str, str] | None = None,
        availability_zone: str | None = None,
    ) -> list[dict[str, Any]]:
        """Create servers, and return them as they are then.

        :param name: what they are called; several get a number each.
        :param flavor_id: the id of the flavor.
        :param image_id: the id of the image to boot from, if it is one.
        :param block_devices: as ``block_device_mapping_v2`` has them: ``uuid``, ``source_type``,
            ``destination_type``, ``boot_index``, ``attach_mode`` and so on.
        :param networks: ``auto``, ``none``, or a list of objects with ``uuid`` or ``port``.
        :param count: how many there shall be.
        :param key_name: the key pair to log in with.
        :param user_data: what the config drive shall hand to the server.
        :param config_drive: whether there shall be one anyway.
        :param metadata: texts by name.
        :param availability_zone: where they shall be.
        :raises ValidationError: if a block device cannot be; nothing was sent.
        :raises UnsupportedVersion: if an attach mode is asked of a Nova that is too old.
        :raises LeftBehind: if they were created, and could not be shown afterwards.
        """
        devices = [self._checked_device(device) for device in block_devices]
        wanted: dict[str, Any] = {
            "name": name,
            "flavorRef": flavor_id,
            "networks": networks,
            "min_count": count,
            "max_count": count,
            "return_reservation_id": True,
        }
        optional = {
            "imageRef": image_id,
            "block_device_mapping_v2": devices or None,
            "key_name": key_name,
            "user_data": None if user_data is None else base64.b64encode(user_data).decode(),
            "config_drive": config_drive or None,
            "metadata": dict(metadata) if metadata else None,
            "availability_zone": availability_zone,
        }
        wanted |= {key: value for key, value in optional.items() if value is not None}
        deadline = self._policy.start_deadline()
        response = self._ask("POST", "/servers", {"server": wanted}, deadline)
        reservation = response.object().get("reservation_id")
        if not isinstance(reservation, str):
            raise response.invalid("an object with a 'reservation_id'")
        try:
            return self._servers({"reservation_id": reservation}, deadline)[::-1]
        except exc.ClientException as error:
            raise exc.LeftBehind(
                f"The servers called {name!r} are being created, but they could not be shown: "
                f"{error} Don't create them again; list the servers with reservation_id "
                f"{reservation!r}."
            ) from error

    def delete(self, ident: str) -> None:
        """Delete a server.

        :param ident: its id.
        :raises NotFound: if there is none.
        """
        self._ask("DELETE", f"/servers/{urls.segment(ident, 'server')}")

    def flavor(self, ident: str) -> dict[str, Any]:
        """Return a flavor.

        :param ident: its id.
        :raises NotFound: if there is none.
        """
        return self._one("GET", f"/flavors/{urls.segment(ident, 'flavor')}", "flavor")

    def flavors(self) -> list[dict[str, Any]]:
        """Return the flavors that may be used."""
        return self._ask("GET", "/flavors").items("flavors", dict)

    def attachments(self, server_id: str) -> list[dict[str, Any]]:
        """Return the volumes of a server, with ``attach_mode`` where Nova knows it.

        :param server_id: its id.
        :raises NotFound: if there is no such server.
        """
        return self._ask("GET", _attachments(server_id)).items("volumeAttachments", dict)

    def attachment(self, server_id: str, volume_id: str) -> dict[str, Any]:
        """Return a volume of a server.

        :raises NotFound: if there is no such server, or it has no such volume.
        """
        path = _attachments(server_id, volume_id)
        response = self._ask("GET", path)
        found = response.object().get("volumeAttachment")
        if not isinstance(found, dict):
            raise response.invalid("an object 'volumeAttachment'")
        return found

    def attach(
        self,
        server_id: str,
        volume_id: str,
        *,
        mode: Mode | None = None,
        device: str | None = None,
        tag: str | None = None,
        delete_on_termination: bool = False,
    ) -> None:
        """Attach a volume to a server.

        :param server_id: the id of the server.
        :param volume_id: the id of the volume.
        :param mode: read and write, or read only; to read and write if not given.
        :param device: what it shall be called there, ``/dev/sdb``.
        :param tag: what the server finds it by.
        :param delete_on_termination: whether the volume shall go with the server.
        :raises UnsupportedVersion: if a mode is asked of a Nova that is too old.
        :raises Conflict: if the server cannot have it now, or its compute service is too old.
        """
        wanted: dict[str, Any] = {"volumeId": volume_id}
        if mode is not None:
            self.require_attach_mode()
            wanted["attach_mode"] = _checked_mode(mode)
        if device is not None:
            wanted["device"] = device
        if tag is not None:
            wanted["tag"] = tag
        if delete_on_termination:
            wanted["delete_on_termination"] = True
        self._ask("POST", _attachments(server_id), {"volumeAttachment": wanted})

    def swap(self, server_id: str, volume_id: str, new_volume_id: str) -> None:
        """Put another volume in the place of one; it is attached in the same mode.

        :param server_id: the id of the server.
        :param volume_id: the id of the volume that it has.
        :param new_volume_id: the id of the volume that it gets.
        """
        body = {"volumeAttachment": {"volumeId": new_volume_id}}
        self._ask("PUT", _attachments(server_id, volume_id), body)

    def keep_volume(self, server_id: str, volume_id: str, *, keep: bool) -> None:
        """Say whether a volume stays when its server is deleted.

        :param keep: whether it does.
        """
        wanted = {"volumeId": volume_id, "delete_on_termination": not keep}
        self._ask("PUT", _attachments(server_id, volume_id), {"volumeAttachment": wanted})

    def detach(self, server_id: str, volume_id: str) -> None:
        """Detach a volume from a server.

        :raises NotFound: if there is no such server, or it has no such volume.
        """
        self._ask("DELETE", _attachments(server_id, volume_id))

    def _checked_device(self, device: Mapping[str, Any]) -> dict[str, Any]:
        mode = device.get("attach_mode")
        if mode is None:
            return {key: value for key, value in device.items() if key != "attach_mode"}
        _checked_mode(mode)
        if device.get("destination_type") == "local":
            raise exc.ValidationError(
                "Only a volume has an attach mode: a block device with destination_type 'local' "
                "cannot have one."
            )
        self.require_attach_mode()
        return dict(device)

    def _one(self, method: str, path: str, key: str) -> dict[str, Any]:
        response = self._ask(method, path)
        found = response.object().get(key)
        if not isinstance(found, dict) or not isinstance(found.get("id"), str):
            raise response.invalid(f"an object {key!r} with an id")
        return found


def _attachments(server_id: str, volume_id: str | None = None) -> str:
    path = f"/servers/{urls.segment(server_id, 'server')}/os-volume_attachments"
    return path if volume_id is None else f"{path}/{urls.segment(volume_id, 'volume')}"


def _checked_mode(mode: str) -> str:
    if mode not in MODES:
        raise exc.ValidationError(f"{mode!r} is no attach mode: it is 'ro' or 'rw'.")
    return mode
