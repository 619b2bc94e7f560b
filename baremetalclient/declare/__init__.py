"""Labs declared in files: what differs from them, how to get there, and files of what there is."""

from baremetalclient.declare.applying import StepResult
from baremetalclient.declare.exporting import export
from baremetalclient.declare.plan import Plan, plan
from baremetalclient.declare.planning import Step

__all__ = ["Plan", "Step", "StepResult", "export", "plan"]
