"""Put small faults into the packages, one at a time, and see whether the tests notice."""
