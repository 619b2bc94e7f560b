"""What drivers, agents and rules are given and may do: a task on a node, its power, its history."""
