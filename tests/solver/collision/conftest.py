"""Small scenes are searched on one thread: starting several costs more than the search, on a busy machine much more."""

import numba
import pytest


@pytest.fixture
def one_thread():
    threads = numba.get_num_threads()
    numba.set_num_threads(1)
    yield
    numba.set_num_threads(threads)
