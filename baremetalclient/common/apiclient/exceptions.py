"""The exceptions of :mod:`baremetalclient.exc`, for programs written for python-ironicclient."""

from baremetalclient.exc import *  # noqa: F403
