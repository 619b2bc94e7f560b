"""Network providers: how a node's ports get onto networks.

A provider is a class in the entry-point group ``fake_server.network_providers``, named as nodes
name it in ``network_interface``. :class:`.base.NetworkProvider` says what can be overridden.
"""
