"""The same work on one thread and on all."""

import numba


def on_any_number_of_threads(work):
    """What `work` returns on one thread, and on as many as there are."""
    threads = numba.get_num_threads()
    try:
        results = []
        for count in (1, numba.config.NUMBA_NUM_THREADS):
            numba.set_num_threads(count)
            results.append(work())
    finally:
        numba.set_num_threads(threads)
    return results
