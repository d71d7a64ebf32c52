"""Example shots: each module makes one from nothing, as an artist would, with the add-on's own operators."""
