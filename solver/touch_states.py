"""States of vertices as numbers, for files and attributes: of several contacts, the largest counts."""

NO_TOUCH, OPENS, STICKS, SLIPS = 0.0, 0.5, 1.0, 2.0
