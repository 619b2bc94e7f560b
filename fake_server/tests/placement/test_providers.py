"""Providers, and what belongs to them."""

from __future__ import annotations

import re

import pytest


@pytest.mark.parametrize(
    ("version", "keep", "moment"),
    [("1.14", None, None), ("1.15", "no-cache", r"\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT")],
)
def test_answers_are_fresh_since_a_version(api, version, keep, moment):
    api("GET", "/traits", version=version)
    assert api.headers.get("Cache-Control") == keep
    told = api.headers.get("Last-Modified")
    assert told is moment or re.fullmatch(moment, told)
