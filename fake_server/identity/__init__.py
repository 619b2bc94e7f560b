"""Keystone: accounts, projects, roles, tokens and the catalog, as far as bare metal needs them."""
