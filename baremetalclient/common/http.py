"""Versions of the API, for programs written for python-ironicclient."""

from baremetalclient.microversion import CLIENT_MAX, IRONICCLIENT_DEFAULT

DEFAULT_VER = str(IRONICCLIENT_DEFAULT)
"""The version that python-ironicclient requests by default; this client negotiates a newer one."""

LAST_KNOWN_API_VERSION = CLIENT_MAX.minor
"""The minor number of the newest version that this client supports."""

LATEST_VERSION = str(CLIENT_MAX)
"""The newest version that this client supports."""
