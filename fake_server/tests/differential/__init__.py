"""The same requests to the fake server and to a real Ironic: their answers are equal.

``test_differential`` sends random ones to both: run it with ``pytest fake_server/tests/differential
--real-ironic URL``. ``--hypothesis-seed`` makes a run repeatable, and ``DIFFERENTIAL_EXAMPLES``
sets how many sequences are tried. ``test_recorded_hardware`` compares with answers that were
recorded of nodes of all hardware types.
"""
