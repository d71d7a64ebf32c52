"""Problem files: read back as they were written, solved by the command, and refused in words where they are corrupt."""

import os
import sys
from pathlib import Path

import numpy as np
import pytest

from stiction.addon.command_line import main
from stiction.solver.contact import load_fclib, save_fclib, solve
from stiction.solver.contact.problem import FrictionProblem
from stiction.solver.contact.problem_file import ProblemFileError
from stiction.solver.reference.friction import delassus

from .problem_files import BY_COLUMNS, BY_ROWS, LIST, box_on_the_ground, write_problem
from .problems import general_form, random_problem

h5py = pytest.importorskip("h5py")
EXAMPLES = os.environ.get("STICTION_PROBLEMS", "")


def local_problem(seed=0):
    problem = random_problem(seed)
    W, q = delassus(problem)
    return FrictionProblem.local(W, q, problem.mu)


@pytest.mark.parametrize("layout", [LIST, BY_COLUMNS, BY_ROWS])
@pytest.mark.parametrize("problem", [local_problem(), general_form(random_problem())])
def test_problems_come_back_as_they_were(tmp_path, problem, layout):
    write_problem(h5py, tmp_path / "problem.hdf5", problem, layout)
    assert_same(load_fclib(tmp_path / "problem.hdf5"), problem)


def assert_same(read, problem):
    for name in ("k", "mu", "f"):
        assert np.array_equal(getattr(read, name), getattr(problem, name))
    for name in ("A", "J", "delassus"):
        matrix, expected = getattr(read, name), getattr(problem, name)
        assert (matrix is None) == (expected is None)
        assert matrix is None or np.array_equal(matrix.toarray(), expected.toarray())


@pytest.mark.parametrize("problem", [local_problem(), random_problem(), box_on_the_ground()])
def test_what_is_saved_can_be_read(tmp_path, problem):
    save_fclib(problem, tmp_path / "problem.hdf5")
    assert_same(load_fclib(tmp_path / "problem.hdf5"), problem)


@pytest.mark.parametrize("optional", [{"cohesion": 0.1}, {"compliance": 0.1}, {"restitution": 0.1}])
def test_what_the_format_cannot_hold_is_not_saved(tmp_path, optional):
    with pytest.raises(ProblemFileError, match="hold no spin"):
        save_fclib(random_problem(**optional), tmp_path / "problem.hdf5")
    assert not (tmp_path / "problem.hdf5").exists()


def test_the_command_solves_a_folder(tmp_path, capsys):
    for name, problem in {"a": local_problem(), "b": random_problem(1), "c": box_on_the_ground()}.items():
        write_problem(h5py, tmp_path / f"{name}.hdf5", problem)
    (tmp_path / "notes.txt").write_text("not a problem")
    assert main(["solve", str(tmp_path)]) == 0
    header, *lines = capsys.readouterr().out.splitlines()
    assert "residual" in header and "time" in header
    assert [line.split()[-1] for line in lines] == ["a.hdf5", "b.hdf5", "c.hdf5"]
    assert [int(line.split()[0]) for line in lines] == [8, 8, 25]
    assert all(float(line.split()[4]) < 1e-8 for line in lines)


def test_the_command_tells_what_it_cannot_solve(tmp_path, capsys):
    assert main(["solve", str(tmp_path)]) == 1
    assert "there is no problem file" in capsys.readouterr().err
    write_problem(h5py, tmp_path / "hard.hdf5", random_problem(stiffness=1e4))
    assert main(["solve", str(tmp_path), "--iterations", "1"]) == 3
    assert "NOT SOLVED" in capsys.readouterr().out
    (tmp_path / "a.hdf5").write_bytes(b"rubbish")
    assert main(["solve", str(tmp_path / "a.hdf5")]) == 1
    assert '"a.hdf5" cannot be read' in capsys.readouterr().err
    assert main(["solve", str(tmp_path), "--method", "magic"]) == 2


def change(path, name, value):
    with h5py.File(path, "r+") as file:
        del file[name]
        if value is not None:
            file[name] = value


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("fclib_local/W/x", None, "lacks fclib_local/W/x"),
        ("fclib_local/vectors/q", None, "lacks fclib_local/vectors/q"),
        ("fclib_local", None, "lacks both fclib_local and fclib_global"),
        ("fclib_local/spacedim", [2], "in the plane"),
        ("fclib_local/vectors/mu", [0.3] * 5, "sizes of its parts do not fit: W 24 × 24"),
        ("fclib_local/vectors/mu", [-0.3] * 8, "negative numbers"),
        ("fclib_local/vectors/q", [np.nan] * 24, "infinite or undefined"),
        ("fclib_local/vectors/q", "words", "cannot be read"),
        ("fclib_local/W/i", [10**6] * 576, "cannot be read"),
        ("fclib_local/W/p", [0, 3], "cannot be read"),
        ("fclib_local/W/nz", [-7], "stored in an unknown way"),
        ("fclib_local/W/m", [-24], "cannot be read"),
    ],
)
def test_corrupt_files_are_refused_in_words(tmp_path, name, value, sentence):
    path = tmp_path / "problem.hdf5"
    write_problem(h5py, path, local_problem(), BY_ROWS)
    change(path, name, value)
    with pytest.raises(ProblemFileError, match=sentence):
        load_fclib(path)


def test_a_truncated_file_is_refused(tmp_path):
    path = tmp_path / "problem.hdf5"
    write_problem(h5py, path, local_problem())
    path.write_bytes(path.read_bytes()[:-200])
    with pytest.raises(ProblemFileError, match="cannot be read"):
        load_fclib(path)


def test_equations_besides_contacts_are_refused(tmp_path):
    path = tmp_path / "problem.hdf5"
    write_problem(h5py, path, general_form(random_problem()))
    with h5py.File(path, "r+") as file:
        file.create_group("fclib_global/G")
    with pytest.raises(ProblemFileError, match="equations besides its contacts"):
        load_fclib(path)


def test_without_h5py_a_sentence_tells_so(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "h5py", None)
    with pytest.raises(ProblemFileError, match="h5py is not installed"):
        load_fclib(tmp_path / "problem.hdf5")


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(ProblemFileError, match="There is no file"):
        load_fclib(tmp_path / "problem.hdf5")


@pytest.mark.skipif(not EXAMPLES, reason="STICTION_PROBLEMS names no folder of problem files")
def test_public_problems_are_solved():
    for path in sorted(Path(EXAMPLES).glob("*.hdf5")):
        solution = solve(load_fclib(path))
        assert solution.converged and solution.residual <= 1e-8, path
