"""The stages in a row: from paths to an outcome."""

from aiter_lint.pipeline.outcome import Outcome
from aiter_lint.pipeline.stages import Request, run

__all__ = ["Outcome", "Request", "run"]
