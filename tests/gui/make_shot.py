"""A cloth above a ball, not yet marked, for the window to open."""

import bpy

for obj in list(bpy.data.objects):
    bpy.data.objects.remove(obj)
bpy.ops.mesh.primitive_uv_sphere_add(radius=0.5, segments=24, ring_count=12)
bpy.context.object.name = "Ball"
bpy.ops.object.shade_smooth()
bpy.ops.mesh.primitive_grid_add(x_subdivisions=30, y_subdivisions=30, size=1.6, location=(0, 0, 0.55))
bpy.context.object.name = "Scarf"
bpy.ops.object.shade_smooth()
bpy.context.scene.frame_end = 48
for screen in bpy.data.screens:  # near enough to be seen
    for area in screen.areas:
        if area.type == "VIEW_3D":
            area.spaces.active.region_3d.view_distance = 4.0
bpy.ops.wm.save_as_mainfile(filepath="/shared/shot.blend")
