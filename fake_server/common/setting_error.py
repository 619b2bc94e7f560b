"""The error of a setting that can't be."""

from __future__ import annotations


class SettingError(ValueError):
    """A setting has a value that it can't have; the message says which it can.

    :param setting: its name, as its option stores it.
    """

    def __init__(self, setting: str, message: str) -> None:
        super().__init__(message)
        self.setting = setting
