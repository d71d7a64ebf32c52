"""Stiction: hair, cloth, soft bodies and props with true Coulomb friction, baked in Blender."""


def register():
    from . import addon

    addon.register()


def unregister():
    from . import addon

    addon.unregister()
