"""The HTTP server: a WSGI application on a port, in HTTP/1.1, with TLS or without.

**What it takes.** A :class:`~fake_server.httpd.listener.Listener` takes an application, an address,
:class:`~fake_server.httpd.connections.Limits` and maybe :class:`~fake_server.httpd.tls.Tls`. Of the
server it knows :mod:`fake_server.common.wsgi` and its log only. Its workers wait for all
connections together, so idle and slow clients occupy none of them; who gets a complete request
answers it himself, for handing it to another thread would cost as much as answering.

**What it promises to an application**, beside WSGI:

* It may raise :class:`~fake_server.common.wsgi.ConnectionDropped`, before or after it stored
  something: the connection is closed without a word.
* A body that is shorter than its ``Content-Length`` says is sent as it is, and the connection
  closed: a truncated answer.
* A body that is larger than it may be isn't read: the application gets its ``CONTENT_LENGTH`` and
  nothing to read, and answers 413; the connection is closed afterwards.
* It may take its time: it is called in a worker, of which there are eight, and one more each time
  that all are held up for a second. To hold an answer back and no worker with it, it raises
  :class:`~fake_server.common.wsgi.Postponed`.
* Half of the workers at most do what took long before, such as long lists: the others are there for
  requests that are answered at once.
* What it returns may have a ``close()``: that is called in a thread of its own once the answer was
  sent, or its reader is gone.

**Why it was written.** None of the servers that can be embedded in a thread does all of this:
cheroot takes three times the CPU time of the application itself, waitress as much, uvicorn has no
time limit for a head and runs no WSGI application, granian can't be embedded.
"""
