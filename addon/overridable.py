"""Settings that can be changed on a library override."""

from typing import Literal

# Without it, what is set on a library override is lost when the file is opened again.
OVERRIDABLE: set[Literal["LIBRARY_OVERRIDABLE"]] = {"LIBRARY_OVERRIDABLE"}
OVERRIDABLE_LIST: set[Literal["LIBRARY_OVERRIDABLE", "USE_INSERTION"]] = {"LIBRARY_OVERRIDABLE", "USE_INSERTION"}
