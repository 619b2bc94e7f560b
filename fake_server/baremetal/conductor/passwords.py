"""Hash passwords in the format of ``/etc/shadow``."""

from __future__ import annotations

#: A hash that no password matches.
_LOCKED = "*"


def hashed(password: str) -> str:
    """Return the hash of a password, by SHA-256, with a salt.

    Where the system's library is missing, the hash matches no password.
    """
    # It loads that library, and few servers ever need it.
    from oslo_utils import secretutils

    try:
        return secretutils.crypt_password(password, secretutils.crypt_mksalt("SHA-256"))
    except RuntimeError:
        return _LOCKED
