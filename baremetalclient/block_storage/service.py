"""Volumes and their attachments, over the Block Storage API.

Only what booting bare metal from volumes takes. Block Storage API v3, sections "Volumes" and
"Attachments"; microversion 3.44.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from baremetalclient._http import urls
from baremetalclient._http.retry import RetryPolicy
from baremetalclient._http.sender import NOT_GIVEN, Sender

if TYPE_CHECKING:
    from collections.abc import Mapping

    from keystoneauth1.session import Session

    from baremetalclient._http.response import Response

Mode = Literal["ro", "rw"]
_VERSION = {"OpenStack-API-Version": "volume 3.44"}
"""The first version in which attachments can be completed; newer ones have nothing that is used."""


class BlockStorage:
    """Calls about volumes and attachments; threads may share it.

    :param session: the keystoneauth1 session that authenticates and connects.
    :param endpoint: the URL of the service, with or without ``/v3`` and a project after it.
    :param policy: when to try again.
    :param timeout: seconds to wait for a connection and between bytes, None for the session's.
    :param headers: headers for every request.
    """

    def __init__(
        self,
        session: Session,
        endpoint: str,
        *,
        policy: RetryPolicy | None = None,
        timeout: float | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        self._base = _with_version(endpoint)
        self._sender = Sender(
            session,
            self._base,
            policy or RetryPolicy(),
            timeout=timeout,
            headers={**(headers or {}), **_VERSION},
        )

    def volume(self, ident: str) -> dict[str, Any]:
        """Return a volume.

        :param ident: its id.
        :raises NotFound: if there is none.
        """
        return self._one("GET", f"/volumes/{urls.segment(ident, 'volume')}", "volume")

    def volumes_named(self, name: str) -> list[dict[str, Any]]:
        """Return the volumes that have a name.

        :param name: the name.
        """
        response = self._ask("GET", f"/volumes/detail{urls.query({'name': name})}")
        return [item for item in response.items("volumes", dict) if item.get("name") == name]

    def attachments(
        self, *, volume_id: str | None = None, instance: str | None = None
    ) -> list[dict[str, Any]]:
        """Return attachments with all there is about them.

        :param volume_id: only those of this volume.
        :param instance: only those of this instance, or of this node where there is none.
        """
        query = urls.query({"volume_id": volume_id, "instance_id": instance})
        found = self._ask("GET", f"/attachments/detail{query}").items("attachments", dict)
        # Not every server knows both filters.
        return [
            item
            for item in found
            if volume_id in (None, item.get("volume_id"))
            and instance in (None, item.get("instance"))
        ]

    def attach(
        self, volume_id: str, instance: str, connector: Mapping[str, Any], mode: Mode
    ) -> dict[str, Any]:
        """Attach a volume, and return the attachment with its connection information.

        :param volume_id: the id of the volume.
        :param instance: the UUID of the instance, or of the node where there is none.
        :param connector: what the node presents to the storage.
        :param mode: read and write, or read only.
        """
        wanted = {
            "volume_uuid": volume_id,
            "instance_uuid": instance,
            "connector": {**connector, "mode": mode},
        }
        return self._one("POST", "/attachments", "attachment", {"attachment": wanted})

    def connect(
        self, attachment_id: str, connector: Mapping[str, Any], mode: Mode
    ) -> dict[str, Any]:
        """Give a reserved attachment its connector, and return the attachment."""
        path = f"/attachments/{urls.segment(attachment_id, 'attachment')}"
        wanted = {"connector": {**connector, "mode": mode}}
        return self._one("PUT", path, "attachment", {"attachment": wanted})

    def complete(self, attachment_id: str) -> None:
        """Say that the volume of an attachment is in use now."""
        path = f"/attachments/{urls.segment(attachment_id, 'attachment')}/action"
        self._ask("POST", path, {"os-complete": {}})

    def detach(self, attachment_id: str) -> None:
        """Remove an attachment.

        :raises NotFound: if there is none.
        """
        self._ask("DELETE", f"/attachments/{urls.segment(attachment_id, 'attachment')}")

    def _one(self, method: str, path: str, key: str, body: Any = NOT_GIVEN) -> dict[str, Any]:
        response = self._ask(method, path, body)
        found = response.object().get(key)
        if not isinstance(found, dict) or not isinstance(found.get("id"), str):
            raise response.invalid(f"an object {key!r} with an id")
        return found

    def _ask(self, method: str, path: str, body: Any = NOT_GIVEN) -> Response:
        return self._sender.send(method, self._base + path, body=body)


def _with_version(endpoint: str) -> str:
    base = endpoint.rstrip("/")
    urls.without_version(base)  # refuses what is no URL
    return base if "/v3" in base else f"{base}/v3"
