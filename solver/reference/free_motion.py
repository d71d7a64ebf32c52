"""The plain twin of integrator/free_motion.py."""

import numpy as np


def advance_free_nodes(model, time_step, first, positions_out, velocities_out):
    free = model.is_free & (np.arange(len(model.is_free)) >= first)
    drag = model.air_drag[free, None]
    pushed = velocities_out[free] + time_step * (model.gravity + drag * model.wind)
    velocities_out[free] = pushed / (1.0 + time_step * drag)
    positions_out[free] += time_step * velocities_out[free]
