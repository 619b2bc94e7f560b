"""The Object Storage API (Swift), as far as Ironic and its clients keep and fetch files by it."""
