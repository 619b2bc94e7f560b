"""The browser that shows the page."""

from __future__ import annotations

import pytest

from fake_server.tests.control.browser import Browser


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    browser = Browser(str(tmp_path_factory.mktemp("profile")))
    yield browser
    browser.close()
