"""Benchmarks against peers: CPU time and ratios to a reference measured in the same run."""
