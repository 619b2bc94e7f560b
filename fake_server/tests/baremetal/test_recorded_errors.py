"""What each error of the API says, and its status.

Those that are raised with a text of their own have another one, too, for network interfaces that
raise them without any. A deliberate change is written down with ``--record -n 0``.
"""

from __future__ import annotations

import re
from pathlib import Path

from fake_server.baremetal import errors
from fake_server.tests import recorded

RECORD = Path(__file__).with_name("errors.json.gz")


def test_errors_say_what_is_recorded(request):
    found = {}
    for name, kind in vars(errors).items():
        if isinstance(kind, type) and issubclass(kind, errors.ApiError):
            values = {key: f"<{key}>" for key in re.findall(r"%\((\w+)\)s", kind.template)}
            of_own = [str(kind(**values)), str(kind("of its own")), str(kind("", **values))]
            found[name] = [kind.code, *of_own, [base.__name__ for base in kind.__mro__]]
    recorded.check(request, RECORD, "errors", found)


def test_errors_of_addresses_say_what_they_are_told():
    plain, told = errors.RoutingError(404), errors.RoutingError(406, "Why", [("Name", "value")])
    assert (plain.code, plain.description, plain.headers, plain.allow) == (404, "", [], None)
    assert (told.code, told.description, str(told)) == (406, "Why", "Why")
    assert (told.headers, told.allow) == ([("Name", "value")], None)
