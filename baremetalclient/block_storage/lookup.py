"""Volumes by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from baremetalclient import exc
from baremetalclient._http.service import only_match

if TYPE_CHECKING:
    from baremetalclient.block_storage.objects import Volume
    from baremetalclient.block_storage.service import BlockStorage


def find_volume(storage: BlockStorage, name_or_id: str) -> Volume:
    """Return a volume by its id or name.

    :raises NotFound: if there is none.
    :raises NoUniqueMatch: if several have the name.
    """
    try:
        return storage.volume(name_or_id)
    except (exc.NotFound, exc.BadRequest):  # some servers refuse an id that is not a UUID
        return only_match(storage.volumes_named(name_or_id), name_or_id, "volume")
