"""The conductor: provision verbs, power, steps, and their failures.

:mod:`.verbs` and the modules of the flows have the operations that requests start. Each locks a
node with a :class:`~.task.Task`, makes the checks of Ironic in the same order, and plans the work
that follows; :mod:`.work` does it, at once or when it is due.
"""
