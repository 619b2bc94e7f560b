"""The same random requests to the fake server and to a real Ironic: their answers are equal.

Run with ``pytest fake_server/tests/differential --real-ironic URL``. ``--hypothesis-seed`` makes
a run repeatable, and ``DIFFERENTIAL_EXAMPLES`` sets how many sequences are tried.
"""
