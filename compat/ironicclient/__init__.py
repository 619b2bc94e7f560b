"""The names of python-ironicclient, for programs that import it: each is one of baremetalclient.

Modules are imported when they are first used. A program that names no version of the Bare Metal API
gets the one that python-ironicclient requests by default.
"""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, distribution

from ironicclient._modules import importer

__version__ = "6.3.0"
"""The release of python-ironicclient whose names these are; programs compare it."""

try:
    distribution("python-ironicclient")
except PackageNotFoundError:
    pass
else:
    raise ImportError(
        "python-ironicclient and baremetalclient-as-ironicclient are both installed, and both have "
        "the package ironicclient: uninstall both, then install one of them again."
    )

__getattr__ = importer(__name__, exceptions="exc")
