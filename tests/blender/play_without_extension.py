"""Run as a script in a Blender that has no extension: open a file, and save what its objects show.

play_without_extension.py FILE.blend OUT.npz time,time,... name name ...
"""

import sys

import bpy
import numpy as np


def shown(obj):
    """All points that the evaluated object has."""
    evaluated = obj.evaluated_get(bpy.context.evaluated_depsgraph_get())
    geometry = evaluated.evaluated_geometry()
    if geometry.mesh:
        return read(geometry.mesh.vertices, "co")
    return read(geometry.curves.position_data, "vector")


def read(collection, name):
    values = np.empty((len(collection), 3), np.float32)
    collection.foreach_get(name, values.ravel())
    return values


def main(blend, out, times, *names):
    bpy.ops.wm.open_mainfile(filepath=blend)
    loaded = (*sys.modules, *bpy.context.preferences.addons.keys())
    assert not any("stiction" in name.split(".") for name in loaded)
    result = {name: [] for name in names}
    for time in map(float, times.split(",")):
        bpy.context.scene.frame_set(int(time), subframe=time - int(time))
        for name in names:
            result[name].append(shown(bpy.data.objects[name]))
    np.savez(out, **result)


if __name__ == "__main__":
    main(*sys.argv[1:])
