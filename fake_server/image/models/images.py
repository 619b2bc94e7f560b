"""Images, and what they hold."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from fake_server.common import due_work
from fake_server.common.errors import BadRequest, Conflict, Forbidden, NotFound
from fake_server.db.store import DuplicateError
from fake_server.image.tables import contents, images, members

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from fake_server.clock import Clock
    from fake_server.db.store import Record, Transaction

QUEUED, UPLOADING, IMPORTING = "queued", "uploading", "importing"
ACTIVE, DEACTIVATED = "active", "deactivated"
#: How an image can be imported.
METHODS = GLANCE_DIRECT, WEB_DOWNLOAD = "glance-direct", "web-download"
#: How it can also be where there are several stores: from one to others.
COPY_IMAGE = "copy-image"
PUBLIC, COMMUNITY, SHARED = "public", "community", "shared"
ACCEPTED = "accepted"
ANY = "all"


def find(tx: Transaction, ident: str, project_id: str | None) -> Record:
    """Return an image that a project (any, without one) sees; raise NotFound if there is none."""
    row = tx.get(images, id=ident)
    if row is not None and (
        project_id in (None, row["owner"])
        or row["visibility"] in (PUBLIC, COMMUNITY)
        or (row["visibility"] == SHARED and tx.get(members, image_id=ident, member_id=project_id))
    ):
        return row
    raise NotFound(f"No image found with ID {ident}")


def fetch(
    tx: Transaction,
    project_id: str | None,
    own_project: str,
    *,
    visibility: str | None = None,
    member_status: str = ACCEPTED,
) -> list[Record]:
    """Return the images that a list shows, the oldest first.

    :param project_id: the project that lists them; ``None`` for one that sees all.
    :param own_project: project whose ``community`` images are shown without being asked for.
    :param visibility: that of the images; ``all`` for any.
    :param member_status: status that the project has as a member of those that are shared with it;
        ``all`` for any.
    """
    where = []
    if project_id is not None:
        mine = [members.c.member_id == project_id]
        if member_status != ANY:
            mine.append(members.c.status == member_status)
        shared = images.c.id.in_(sa.select(members.c.image_id).where(*mine))
        where.append(
            sa.or_(
                images.c.owner == project_id,
                images.c.visibility.in_((PUBLIC, COMMUNITY)),
                sa.and_(images.c.visibility == SHARED, shared),
            )
        )
    if visibility is None:
        where.append(sa.or_(images.c.owner == own_project, images.c.visibility != COMMUNITY))
    elif visibility != ANY:
        where.append(images.c.visibility == visibility)
    return tx.all(sa.select(images).where(*where).order_by(images.c.number))


def create(tx: Transaction, clock: Clock, values: Mapping[str, Any]) -> Record:
    """Create a queued image; raise Conflict if its id is taken."""
    now = clock.now()
    row = {**values, "status": QUEUED, "created_at": now, "updated_at": now}
    try:
        tx.insert(images, row)
    except DuplicateError:
        raise Conflict(f"Image ID {values['id']} already exists!") from None
    return find(tx, values["id"], None)


def update(tx: Transaction, clock: Clock, image: Record, changes: Mapping[str, Any]) -> Record:
    """Change columns of an image and return it."""
    values = {**changes, "updated_at": clock.now()}
    tx.update_row(images, image["id"], values)
    return {**image, **values}


def delete(tx: Transaction, image: Record) -> None:
    """Remove an image; raise Forbidden if it is protected."""
    if image["protected"]:
        raise Forbidden(f"Image {image['id']} is protected and cannot be deleted.")
    tx.remove(images, id=image["id"])
    due_work.cancel(tx, due_work.thing("images", image["id"]))


def store(tx: Transaction, clock: Clock, image: Record, data: bytes, stores: Sequence[str]) -> None:
    """Fill a queued image, which is active then.

    :param stores: the names of those that hold it.
    :raises Conflict: if it isn't queued.
    :raises BadRequest: if its formats aren't known.
    """
    _check_empty(image, "saving")
    keep(tx, image, data)
    activate(tx, clock, image, data, stores)


def stage(tx: Transaction, clock: Clock, image: Record, data: bytes) -> None:
    """Keep what an image is to hold until it is imported; raise as :func:`store` does."""
    _check_empty(image, UPLOADING)
    keep(tx, image, data)
    update(tx, clock, image, {"status": UPLOADING, "size": len(data)})


def check_importable(image: Record, method: str) -> None:
    """Raise Conflict if an image can't be imported by a method now."""
    status = image["status"]
    if method == COPY_IMAGE and status != ACTIVE:
        raise Conflict("Only images with status active can be targeted for copying")
    if status == ACTIVE and method != COPY_IMAGE:
        raise Conflict("Image with status active cannot be target for import")
    if method == WEB_DOWNLOAD and status != QUEUED:
        raise Conflict(f"Image needs to be in 'queued' state to use '{method}' method")
    if method == GLANCE_DIRECT and status != UPLOADING:
        raise Conflict(f"Image needs to be staged before '{method}' method can be used")
    for name in ("container_format", "disk_format"):
        if not image[name]:
            raise Conflict(f"'{name}' needs to be set before import")


def empty(tx: Transaction, clock: Clock, image: Record) -> None:
    """Let an image hold nothing, as it was before something was staged."""
    tx.remove(contents, image_id=image["id"])
    update(tx, clock, image, {"status": QUEUED, "size": None})


def content(tx: Transaction, image: Record) -> bytes:
    """Return what an image holds; nothing for one that was filled elsewhere, such as by a seed."""
    row = tx.get(contents, image_id=image["id"])
    return bytes(row["data"]) if row else b""


def switch(tx: Transaction, clock: Clock, image: Record, status: str) -> None:
    """Deactivate or reactivate an image; raise Forbidden if it holds nothing yet."""
    if image["status"] not in (ACTIVE, DEACTIVATED):
        action = "deactivate" if status == DEACTIVATED else "reactivate"
        raise Forbidden(f"Not allowed to {action} image in status '{image['status']}'")
    update(tx, clock, image, {"status": status})


def _check_empty(image: Record, status: str) -> None:
    if image["status"] != QUEUED:
        raise Conflict(f"Image status transition from {image['status']} to {status} is not allowed")
    if status != UPLOADING:
        _check_formats(image, "saving data")


def _check_formats(image: Record, purpose: str) -> None:
    lacking = [name for name in ("disk_format", "container_format") if image[name] is None]
    if lacking:
        raise BadRequest(f"Properties {', '.join(lacking)} must be set prior to {purpose}.")


def keep(tx: Transaction, image: Record, data: bytes) -> None:
    """Store what an image holds, or is to hold."""
    tx.insert(contents, {"image_id": image["id"], "data": data})


def activate(
    tx: Transaction, clock: Clock, image: Record, data: bytes, stores: Sequence[str]
) -> None:
    """Let an image be used with what was stored."""
    changes = {
        "status": ACTIVE,
        "stores": list(stores),
        "size": len(data),
        "virtual_size": len(data) if image["disk_format"] == "raw" else None,
        "checksum": hashlib.md5(data, usedforsecurity=False).hexdigest(),
        "os_hash_algo": "sha512",
        "os_hash_value": hashlib.sha512(data).hexdigest(),
    }
    update(tx, clock, image, changes)
