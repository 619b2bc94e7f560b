"""The conductor: provision verbs, power, steps, and their failures.

:mod:`.verbs` and :mod:`.power` have the operations that requests start. Each locks a node with a
:class:`.task.Task`, makes the checks of Ironic in the same order, and plans the work that follows;
:mod:`.work` does that work, at once or when it is due.
"""
