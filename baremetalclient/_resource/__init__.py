"""What all resources of the API share: schemas, managers, paging and waiting."""
