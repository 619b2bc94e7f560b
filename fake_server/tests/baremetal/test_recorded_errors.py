"""What each error of the API says, and its status.

Those that are raised with a text of their own have another one, too, for network interfaces that
raise them without any.
"""

from __future__ import annotations

import re

from fake_server.baremetal import errors
from fake_server.tests.baremetal.facts import by_fact


def test_errors_say_what_is_recorded(recorded):
    found = {}
    for name, kind in vars(errors).items():
        if isinstance(kind, type) and issubclass(kind, errors.ApiError):
            values = {key: f"<{key}>" for key in re.findall(r"%\((\w+)\)s", kind.template)}
            assert str(kind("of its own")) == "of its own", name
            bases = ", ".join(base.__name__ for base in kind.__bases__)
            found[f"{name}({bases})"] = [f"{kind.code} {kind(**values)}", str(kind("", **values))]
    recorded(by_fact(found))


def test_errors_of_addresses_say_what_they_are_told():
    plain, told = errors.RoutingError(404), errors.RoutingError(406, "Why", [("Name", "value")])
    assert (plain.code, plain.description, plain.headers, plain.allow) == (404, "", [], None)
    assert (told.code, told.description, str(told)) == (406, "Why", "Why")
    assert (told.headers, told.allow) == ([("Name", "value")], None)
