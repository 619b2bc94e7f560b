"""The Image API: the metadata of images, by which clients find them.

Served under ``/image``. What an image holds is counted and forgotten: nodes boot nothing here.
"""
