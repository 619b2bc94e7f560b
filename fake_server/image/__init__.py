"""The Image API: what Glance knows of images, so that clients find them by name.

Served under ``/image``. What an image holds is counted and forgotten: nodes boot nothing here.
"""
