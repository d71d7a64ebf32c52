"""Keep what Blender prints out of a log."""

import contextlib
import os
import tempfile


@contextlib.contextmanager
def quiet():
    """Blender prints a line a sample; the log would bury what matters."""
    kept = os.dup(1)
    with tempfile.TemporaryFile() as sink:
        os.dup2(sink.fileno(), 1)
        try:
            yield
        finally:
            os.dup2(kept, 1)
            os.close(kept)
