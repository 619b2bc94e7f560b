"""Labs declared in files: compare them with the server, apply them, and export them."""

from baremetalclient._bulk.step import PlannedStep
from baremetalclient.declare.export import export
from baremetalclient.declare.plan import Plan, plan
from baremetalclient.declare.plan_steps import StepResult

__all__ = ["Plan", "PlannedStep", "StepResult", "export", "plan"]
