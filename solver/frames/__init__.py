"""Bodies that a few affine frames move: rigid props, and solids of frames."""
