"""Files of friction problems with all that they may have: read back to the bit, and refused in words where corrupt."""

import numpy as np
import pytest

from stiction.addon.command_line import main
from stiction.solver.contact import load_problem, save_problem, solve
from stiction.solver.contact.problem import PER_CONTACT, FrictionProblem
from stiction.solver.contact.problem_file import ProblemFileError

from .problem_files import box_on_the_ground
from .problems import general_form, random_problem


def spinning():
    W = np.eye(4) + 0.1
    return FrictionProblem.local(W, [[-1.0, 2.0, 1.0, 3.0]], [[0.4, 0.2, 0.05]], spin=True)


PROBLEMS = {
    "nodal": random_problem(cohesion=0.1, compliance=0.2, restitution=0.3, approach=-1.0),
    "general": general_form(random_problem(1)),
    "local": spinning(),
    "rigid": box_on_the_ground(),
}


@pytest.mark.parametrize("name", PROBLEMS)
def test_problems_come_back_to_the_bit(tmp_path, name):
    problem = PROBLEMS[name]
    save_problem(problem, tmp_path / "problem.npz")
    read = load_problem(tmp_path / "problem.npz")
    for field in ("f", "k", "mu", "masses", *PER_CONTACT):
        assert np.array_equal(getattr(read, field), getattr(problem, field))
    for field in ("A", "J", "delassus"):
        matrix, expected = getattr(read, field), getattr(problem, field)
        assert (matrix is None) == (expected is None)
        assert matrix is None or np.array_equal(matrix.toarray(), expected.toarray())
    assert read.spin == problem.spin and (read.nodal_form is None) == (problem.nodal_form is None)
    assert np.array_equal(solve(read).r, solve(problem).r)


def test_the_same_problem_makes_the_same_file(tmp_path):
    for name in ("a", "b"):
        save_problem(PROBLEMS["nodal"], tmp_path / f"{name}.npz")
    assert (tmp_path / "a.npz").read_bytes() == (tmp_path / "b.npz").read_bytes()


def test_the_command_solves_a_folder_of_them(tmp_path, capsys):
    for name in ("general", "local"):
        save_problem(PROBLEMS[name], tmp_path / f"{name}.npz")
    assert main(["solve", str(tmp_path)]) == 0
    assert [line.split()[-1] for line in capsys.readouterr().out.splitlines()[1:]] == ["general.npz", "local.npz"]
    assert main(["solve", str(tmp_path), "--method", "newton"]) == 1
    assert "knows no friction of spinning" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"k": None}, "lacks k"),
        ({"mu": None}, "lacks mu"),
        ({"A.data": None}, "lacks both A and delassus"),
        ({"A.indptr": None}, "lacks A.indptr"),
        ({"f": np.zeros(3)}, r"where 3 × 3 are needed"),
        ({"f": np.full(36, np.nan)}, "infinite or undefined"),
        ({"mu": np.full(8, -1.0)}, "negative"),
        ({"mu": np.array(["much"] * 8)}, "cannot be read"),
        ({"A.indices": np.full(1000, 10**6)}, "cannot be read"),
        ({"nodal.nodes": np.full(32, 10**6, np.int32)}, "do not fit|there are not"),
        ({"nodal.offsets": np.zeros(9, np.int32)}, "do not fit its contacts"),
        ({"masses": np.zeros(8)}, "must be above zero"),
        ({"masses": np.full(8, np.inf)}, "must be above zero"),
    ],
)
def test_corrupt_files_are_refused_in_words(tmp_path, changes, sentence):
    path = tmp_path / "problem.npz"
    save_problem(random_problem(), path)
    with np.load(path) as file:
        arrays = dict(file) | changes
    np.savez(path, **{name: values for name, values in arrays.items() if values is not None})
    with pytest.raises(ProblemFileError, match=sentence):
        load_problem(path)


def test_files_that_are_none(tmp_path, capsys):
    path = tmp_path / "problem.npz"
    with pytest.raises(ProblemFileError, match="There is no file"):
        load_problem(path)
    for content in (b"", b"rubbish", b"PK\x03\x04 rubbish"):
        path.write_bytes(content)
        with pytest.raises(ProblemFileError, match=r"problem\.npz"):
            load_problem(path)
    save_problem(random_problem(), path)
    for kept in (200, -200):
        path.write_bytes(path.read_bytes()[:kept])
        with pytest.raises(ProblemFileError, match=r"problem\.npz"):
            load_problem(path)
    assert main(["solve", str(tmp_path)]) == 1
    assert "problem.npz" in capsys.readouterr().err


def test_objects_are_not_loaded(tmp_path):
    """An array of Python objects could run anything."""
    np.savez(tmp_path / "problem.npz", k=np.array([{}], object))
    with pytest.raises(ProblemFileError, match="cannot be read"):
        load_problem(tmp_path / "problem.npz")
