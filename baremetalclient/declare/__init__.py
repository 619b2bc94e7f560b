"""Labs declared in files: what differs from them, how to get there, and files of what there is."""

from baremetalclient.declare.applying import StepResult
from baremetalclient.declare.exporting import export
from baremetalclient.declare.planning import Step
from baremetalclient.declare.plans import Plan, plan

__all__ = ["Plan", "Step", "StepResult", "export", "plan"]
