"""Shared by all resources of the API: schemas, managers, paging, arguments and waiting."""
