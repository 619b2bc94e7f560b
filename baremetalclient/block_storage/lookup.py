"""Volumes by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from baremetalclient._http.service import find

if TYPE_CHECKING:
    from baremetalclient.block_storage.objects import Volume
    from baremetalclient.block_storage.service import BlockStorage


def find_volume(storage: BlockStorage, name_or_id: str) -> Volume:
    """Return a volume by its id or name.

    :raises NotFound: if there is none.
    :raises NoUniqueMatch: if several have the name.
    """
    return find(storage.volume, storage.volumes_named, name_or_id, "volume")
