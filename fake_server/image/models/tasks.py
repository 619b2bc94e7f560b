"""Tasks of images: imports that end later."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.common import due_work, randomness
from fake_server.image import tables
from fake_server.image.models import images
from fake_server.image.tables import tasks

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fake_server.clock import Clock
    from fake_server.db.store import Record, Transaction

#: The kind of due work that is a download.
DOWNLOAD = "image_download"
#: Where an image names the task that is filling it.
LOCK = "os_glance_import_task"
#: What an image says of its stores once an import has ended: none is left, and none has failed.
_STORES = {"os_glance_importing_to_stores": "", "os_glance_failed_import": ""}


def of_image(tx: Transaction, ident: str) -> list[Record]:
    """Return the tasks of an image, the oldest first."""
    return tx.rows(tasks, "number", image_id=ident)


def import_at_once(tx: Transaction, clock: Clock, image: Record, values: Mapping[str, Any]) -> None:
    """Fill an image with what was staged, or copy it to further stores.

    :param values: ``user_id``, ``request_id`` and ``input`` of the task.
    """
    task = _create(tx, clock, image, values)
    _end(tx, clock, task, image, images.content(tx, image))


def start_download(tx: Transaction, clock: Clock, image: Record, values: Mapping[str, Any]) -> None:
    """Have an image be filled with what a URL leads to, at once but not in this request.

    :param values: as in :func:`import_at_once`.
    """
    task = _create(tx, clock, image, values)
    lock = {**image["properties"], LOCK: task["id"]}
    images.update(tx, clock, image, {"status": images.IMPORTING, "properties": lock})
    url = {"url": values["input"]["import_req"]["method"]["uri"]}
    due_work.add(tx, DOWNLOAD, due_work.thing("images", image["id"]), clock.seconds(), url)


def end_download(tx: Transaction, clock: Clock, ident: str, found: bytes | None) -> None:
    """Fill an image with what was downloaded, or let it be as it was before.

    An image that was removed in the meantime stays so.
    """
    image = tx.get(tables.images, id=ident)
    if image is None:
        return
    task = tx.get(tasks, id=image["properties"].pop(LOCK)) or {}
    image = images.update(tx, clock, image, {"status": images.QUEUED})
    if found is not None:
        images.keep(tx, image, found)
    _end(tx, clock, task, image, found)


def _create(tx: Transaction, clock: Clock, image: Record, values: Mapping[str, Any]) -> Record:
    now = clock.now()
    row = {
        "id": randomness.uuid(),
        "image_id": image["id"],
        "owner": image["owner"],
        "status": "processing",
        "message": "",
        "created_at": now,
        "updated_at": now,
        **values,
    }
    tx.insert(tasks, row)
    return row


def _end(tx: Transaction, clock: Clock, task: Record, image: Record, data: bytes | None) -> None:
    """End a task.

    :param data: what the image holds; ``None`` if the task has failed, as it does without a store.
    """
    added = [name for name in task["input"]["backend"] if name is not None]
    image = images.update(tx, clock, image, {"properties": {**image["properties"], **_STORES}})
    if data is None or not task["input"]["backend"]:
        images.empty(tx, clock, image)
        outcome = {"status": "failure", "message": "Task failed due to Internal Error"}
    else:
        images.activate(tx, clock, image, data, [*(image["stores"] or ()), *added])
        outcome = {"status": "success", "message": f"Copied {len(data) // 2**20} MiB"}
    tx.update_row(tasks, task["id"], {**outcome, "updated_at": clock.now()})
