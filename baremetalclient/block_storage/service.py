"""Volumes and their attachments, over the Block Storage API.

Only the calls that booting bare metal from volumes needs. Block Storage API v3, sections "Volumes"
and "Attachments"; microversion 3.44.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from baremetalclient._http import urls
from baremetalclient._http.service import Service

if TYPE_CHECKING:
    from collections.abc import Mapping

    from baremetalclient._http.retry import Deadline
    from baremetalclient.block_storage.objects import Attachment, Mode, Volume

_VERSION = "volume 3.44"
"""The first version in which attachments can be completed; nothing newer is needed."""


class BlockStorage(Service):
    """Calls for volumes and attachments; safe to share between threads."""

    version_path = "/v3"

    def _version_header(self, deadline: Deadline | None) -> str:
        return _VERSION

    def volume(self, ident: str, *, deadline: float | None = None) -> Volume:
        """Return a volume.

        :param ident: its id.
        :param deadline: the seconds that it may take.
        :raises NotFound: if there is none.
        """
        path = f"/volumes/{urls.segment(ident, 'volume')}"
        return cast("Volume", self._request_object("GET", path, "volume", deadline=deadline))

    def volumes_named(self, name: str) -> list[Volume]:
        """Return the volumes with a name."""
        response = self._request("GET", f"/volumes/detail{urls.query({'name': name})}")
        found = response.items("volumes", dict, "id")
        return [item for item in found if item.get("name") == name]

    def attachments(
        self,
        *,
        volume_id: str | None = None,
        instance: str | None = None,
        deadline: float | None = None,
    ) -> list[Attachment]:
        """Return attachments with all their fields.

        :param volume_id: only those of this volume.
        :param instance: only those of this instance, or of this node if it has none.
        :param deadline: the seconds that it may take.
        """
        query = urls.query({"volume_id": volume_id, "instance_id": instance})
        response = self._request("GET", f"/attachments/detail{query}", deadline=deadline)
        found = response.items("attachments", dict, "id", "volume_id")
        # Some servers ignore one of the filters.
        return [
            item
            for item in found
            if volume_id in (None, item.get("volume_id"))
            and instance in (None, item.get("instance"))
        ]

    def attach(
        self, volume_id: str, instance: str, connector: Mapping[str, Any], mode: Mode
    ) -> Attachment:
        """Attach a volume, and return the attachment with its connection information.

        :param volume_id: the id of the volume.
        :param instance: the UUID of the instance, or of the node if it has none.
        :param connector: the properties of the node by which the storage connects.
        :param mode: ``rw`` for read and write, ``ro`` for read only.
        """
        wanted = {
            "volume_uuid": volume_id,
            "instance_uuid": instance,
            "connector": {**connector, "mode": mode},
        }
        body = {"attachment": wanted}
        created = self._request_object("POST", "/attachments", "attachment", body)
        return cast("Attachment", created)

    def connect(self, attachment_id: str, connector: Mapping[str, Any], mode: Mode) -> Attachment:
        """Set the connector of a reserved attachment, and return the attachment."""
        path = f"/attachments/{urls.segment(attachment_id, 'attachment')}"
        body = {"attachment": {"connector": {**connector, "mode": mode}}}
        return cast("Attachment", self._request_object("PUT", path, "attachment", body))

    def complete(self, attachment_id: str) -> None:
        """Mark the volume of an attachment as in use."""
        path = f"/attachments/{urls.segment(attachment_id, 'attachment')}/action"
        self._request("POST", path, {"os-complete": {}})

    def detach(self, attachment_id: str) -> None:
        """Remove an attachment.

        :raises NotFound: if there is none.
        """
        self._request("DELETE", f"/attachments/{urls.segment(attachment_id, 'attachment')}")
