"""Network providers: they connect a node's ports to networks.

A provider is a class in the entry-point group ``fake_server.network_providers``, named as nodes
name it in ``network_interface``. :class:`.base.NetworkProvider` says what can be overridden.
"""
