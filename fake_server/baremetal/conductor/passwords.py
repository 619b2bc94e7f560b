"""Passwords as ``/etc/shadow`` has them."""

from __future__ import annotations

#: What no password fits.
_LOCKED = "*"


def hashed(password: str) -> str:
    """Return the hash of a password, by SHA-256, with a salt.

    Where the system has no library for that, no password will fit.
    """
    # It loads that library, and few servers ever need it.
    from oslo_utils import secretutils

    try:
        return secretutils.crypt_password(password, secretutils.crypt_mksalt("SHA-256"))
    except RuntimeError:
        return _LOCKED
