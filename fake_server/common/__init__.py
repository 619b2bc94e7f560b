"""What the services share: WSGI requests, REST routing, schemas, masking."""
