"""Versions of the Block Storage API, by what each added."""

from __future__ import annotations

#: What happened in the background.
MESSAGES = 3
#: Other values than true and false are no filter.
BOOTABLE = 2
CLUSTERS = 7
GROUP_TYPES = 11
SUMMARY = 12
GROUPS = 13
GROUP_SNAPSHOTS = 14
BACKUP_UPDATE = 9
BACKUP_PROJECT = 18
PROVIDER_ID = 21
FORCE_DELETE = 23
#: The API of attachments.
ATTACHMENTS = 27
#: ``os-complete`` of an attachment.
COMPLETE = 44
#: Lists refuse what they can't be narrowed by.
FILTERS = 31
RESOURCE_FILTERS = 33
SUMMARY_METADATA = 36
REVERT = 40
SNAPSHOT_USER = 41
#: Volumes in use can be extended.
EXTEND_IN_USE = 42
BACKUP_METADATA = 43
#: ``with_count`` of lists.
COUNT = 45
VOLUME_FROM_BACKUP = 47
SHARED_TARGETS = 48
BACKEND_STATE = 49
#: Whether a volume can be attached often is told by its type alone.
MULTIATTACH_BY_TYPE = 50
BACKUP_ZONE = 51
#: Volumes with unknown attributes are refused.
STRICT_VOLUMES = 53
#: The mode beside the connector of an attachment.
ATTACH_MODE = 54
TRANSFERS = 55
BACKUP_USER = 56
TRANSFER_HISTORY = 57
CLUSTER_NAME = 61
DEFAULT_TYPES = 62
TYPE_ID = 63
KEY_ID = 64
CONSUMES_QUOTA = 65
SNAPSHOT_IN_USE = 66
