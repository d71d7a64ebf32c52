"""Stick and slip of vertices as numbers, for files and attributes."""

NO_TOUCH, STICKS, SLIPS = 0.0, 1.0, 2.0
