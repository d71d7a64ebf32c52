"""Scenes of the papers, at any size."""
