"""The database schema that all services share."""

from sqlalchemy import MetaData

metadata = MetaData()
