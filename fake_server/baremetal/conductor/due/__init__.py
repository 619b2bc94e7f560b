"""What comes due at nodes and allocations: a file for each kind, and :mod:`.registry`.

The rows are those of :mod:`fake_server.common.due_work`; the handler around all requests in
:mod:`fake_server.middleware.due_work` has them applied in the order of time.
"""
