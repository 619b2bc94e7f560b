"""The database: transactions, queries, the schema and bulk inserts."""
