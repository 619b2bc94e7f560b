"""Labs declared in files: compare them with the server, apply them, and export them."""

from baremetalclient.declare.applying import StepResult
from baremetalclient.declare.exporting import export
from baremetalclient.declare.planning import Step
from baremetalclient.declare.plans import Plan, plan

__all__ = ["Plan", "Step", "StepResult", "export", "plan"]
