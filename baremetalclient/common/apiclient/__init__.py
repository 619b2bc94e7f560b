"""See :mod:`baremetalclient.common`."""
