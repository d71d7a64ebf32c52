"""What all tests have in common."""

import pytest


@pytest.fixture(autouse=True)
def one_thread(request):
    """Small scenes are quickest on one thread, the more so while other tests run beside; some tests ask for more.

    In Blender numba comes with the extension, and the Makefile says how many threads there are.
    """
    if "blender" in request.path.parts:
        yield
        return
    import numba

    before = numba.get_num_threads()
    numba.set_num_threads(1)
    yield
    numba.set_num_threads(before)
