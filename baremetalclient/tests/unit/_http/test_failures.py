"""Exceptions that are those of keystoneauth1, too."""

from __future__ import annotations

import inspect
import pickle

import pytest
from keystoneauth1 import exceptions as ksa

from baremetalclient import exc
from baremetalclient._http import failures

CLASSES = [
    kind
    for kind in vars(failures).values()
    if inspect.isclass(kind) and issubclass(kind, exc.ClientException)
]


@pytest.mark.parametrize("kind", CLASSES, ids=lambda kind: kind.__name__)
def test_each_is_of_both_libraries_and_keeps_its_message(kind):
    error = kind("What failed.")
    assert isinstance(error, ksa.ClientException)
    assert "What failed." in str(error)
    assert "What failed." in error.message or kind is failures.AuthSystemNotFound
    assert kind.__name__ in repr(pickle.loads(pickle.dumps(error)))


def test_a_missing_version_is_not_said_to_come_from_the_server():
    error = exc.VersionLacksPath("Too old.", feature="volumes")
    assert str(error) == error.message == "Too old."
    assert (error.http_status, error.feature) == (404, "volumes")
    assert error.response is error.request_id is error.url is None
    assert exc.for_status(404) is exc.NotFound
    assert exc.for_status(405) is exc.MethodNotAllowed
