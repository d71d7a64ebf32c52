"""Frictional contact: forces, no searching."""
