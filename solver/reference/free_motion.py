"""The plain twin of integrator/free_motion.py."""


def advance_free_nodes(model, time_step, positions_out, velocities_out):
    free, drag = model.is_free, model.air_drag[model.is_free, None]
    pushed = velocities_out[free] + time_step * (model.gravity + drag * model.wind)
    velocities_out[free] = pushed / (1.0 + time_step * drag)
    positions_out[free] += time_step * velocities_out[free]
