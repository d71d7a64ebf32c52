"""Frictional contact: forces, no searching."""

from .fclib import load_fclib, save_fclib
from .methods import solve
from .problem import ContactSolution, FrictionProblem
from .problem_file import load_problem, save_problem

__all__ = [
    "ContactSolution",
    "FrictionProblem",
    "load_fclib",
    "load_problem",
    "save_fclib",
    "save_problem",
    "solve",
]
