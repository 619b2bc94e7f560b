"""What the conductor does to nodes: provision verbs, power, steps, and their failures.

:mod:`.verbs` and :mod:`.power` hold what a request can ask for. Each takes a node under a
:class:`.task.Task`, checks what Ironic checks in the same order, and plans the work that is to
follow; :mod:`.work` does that work, at once or when its time has come.
"""
