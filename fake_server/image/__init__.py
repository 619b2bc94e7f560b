"""The Image API: images, what they hold, and whom they are shared with.

Served under ``/image``. Small images are kept in the database; nodes boot nothing from them.
"""
