"""Frictional contact: forces, no searching."""

from .fclib import load_fclib, save_fclib
from .methods import solve
from .problem import ContactSolution, FrictionProblem

__all__ = ["ContactSolution", "FrictionProblem", "load_fclib", "save_fclib", "solve"]
