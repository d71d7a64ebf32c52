"""Materials of the shots."""

import bpy


def plain(name: str, colour: tuple, roughness: float = 0.5, **inputs) -> bpy.types.Material:
    """A Principled material; further inputs by name, with underscores for blanks."""
    material = bpy.data.materials.new(name)
    material.use_nodes = True
    shader = material.node_tree.nodes["Principled BSDF"]
    for key, value in {"Base Color": (*colour, 1.0), "Roughness": roughness, **inputs}.items():
        shader.inputs[key.replace("_", " ")].default_value = value
    return material


def porcelain(colour: tuple = (0.52, 0.37, 0.28)) -> bpy.types.Material:
    """Of the figures."""
    return plain("Porcelain", colour, 0.35, Coat_Weight=0.25, Coat_Roughness=0.2)


def fabric(name: str, colour: tuple, sheen: float = 0.4, weave: float = 900.0) -> bpy.types.Material:
    """Cloth with a fine weave, `weave` threads over the UV map or the box of the object."""
    material = plain(name, colour, 0.8, Sheen_Weight=sheen, Sheen_Roughness=0.4)
    nodes, links = material.node_tree.nodes, material.node_tree.links
    place, waves, bump = (nodes.new(f"ShaderNode{kind}") for kind in ("TexCoord", "TexMagic", "Bump"))
    waves.inputs["Scale"].default_value = weave
    bump.inputs["Strength"].default_value, bump.inputs["Distance"].default_value = 0.15, 0.001
    links.new(place.outputs["Generated"], waves.inputs["Vector"])
    links.new(waves.outputs["Fac"], bump.inputs["Height"])
    links.new(bump.outputs["Normal"], nodes["Principled BSDF"].inputs["Normal"])
    return material


def hair(name: str, melanin: float, redness: float = 0.5, roughness: float = 0.3, variation: float = 0.25):
    """Cycles' own hair shader, by how dark and how red it is."""
    material = bpy.data.materials.new(name)
    material.use_nodes = True
    nodes = material.node_tree.nodes
    nodes.clear()
    shader, output = nodes.new("ShaderNodeBsdfHairPrincipled"), nodes.new("ShaderNodeOutputMaterial")
    shader.parametrization = "MELANIN"
    values = {"Melanin": melanin, "Melanin Redness": redness, "Roughness": roughness, "Random Color": variation}
    for key, value in values.items():
        shader.inputs[key].default_value = value
    material.node_tree.links.new(shader.outputs["BSDF"], output.inputs["Surface"])
    return material
