"""What the artist can set on the scene; nothing here acts."""

import bpy

from .pair_properties import PairProperties

LAST_OF_BLENDER = 1048574  # frames


class StictionSceneSettings(PairProperties, bpy.types.PropertyGroup):
    """`scene.stiction`"""

    cache_folder: bpy.props.StringProperty(
        name="Cache Folder",
        description="Where the bake is kept; empty for a folder beside the .blend file, chosen at the first bake",
        subtype="DIR_PATH",
        options={"ANIMATABLE", "PATH_SUPPORTS_BLEND_RELATIVE"},
    )
    steps_per_frame: bpy.props.IntProperty(
        name="Steps per Frame",
        description="Time steps of the simulation in each frame. Marking objects sets them by the speed of the "
        "animation, until you set them yourself",
        default=4,
        min=1,
        soft_max=50,
    )
    contact_method: bpy.props.EnumProperty(
        name="Contact",
        description="How objects that touch are solved",
        items=[
            ("NONE", "None", "Nothing collides: the quickest, for tests of materials and motion"),
            (
                "ADMM",
                "ADMM",
                "Hair, cloth, soft bodies and props together, with exact friction; nothing crosses",
            ),
            (
                "CR",
                "CR",
                "Solids pressed hard together, and bodies so large that ADMM runs out of memory; slower for hair",
            ),
            (
                "PROX",
                "PROX",
                "Rigid props in piles and stacks, by many quick sweeps over the contacts; slow for cloth and hair",
            ),
            (
                "REGIONS",
                "Regions",
                "Props in many heaps that do not touch each other, all at once on all cores; slow for cloth and hair",
            ),
            (
                "ICA",
                "ICA",
                "Soft cloth and props, with little memory; friction up to 1.4 times too strong; slow for hair",
            ),
        ],
        default="ADMM",
    )
    linearizations: bpy.props.IntProperty(
        name="Linearizations",
        description="How often each step is linearized; 0 for the solver's own number: cloth alone once, all else "
        "twice. Where things are thrown about, more steps help more",
        default=0,
        min=0,
        soft_max=8,
    )
    contact_iterations: bpy.props.IntProperty(
        name="Contact Iterations",
        description="Iterations of the contact method in a solve, at most; 0 for the method's own number. More of them "
        "help where contacts are still far off at the end of steps",
        default=0,
        min=0,
        soft_max=5000,
    )
    contact_tolerance: bpy.props.FloatProperty(
        name="Contact Tolerance",
        description="The contact method ends when contacts are off by no more than this way in a step; 0 for the "
        "method's own measure. Less takes longer, and needs more iterations",
        default=0.0,
        min=0.0,
        soft_max=0.001,
        precision=6,
        unit="LENGTH",
    )
    relaxes_first: bpy.props.BoolProperty(
        name="Relax First",
        description="Hair, garments and bodies that something holds come to rest under gravity before the first frame, "
        "instead of sagging during the shot",
    )
    motion_samples: bpy.props.IntProperty(
        name="Motion Samples",
        description="How often in each frame the animation of colliders and pins is read; in between it is linear. "
        "Marking objects sets it together with Steps per Frame",
        default=1,
        min=1,
        soft_max=8,
    )
    keeps_measures: bpy.props.BoolProperty(
        name="Contact Attributes",
        description="A new bake keeps the contact force, stick or slip, and stretch of each vertex as attributes for "
        "shaders and nodes: stiction_force (N), stiction_contact (0 free, 0.5 open, 1 sticks, 2 slips), "
        "stiction_stretch. It takes three times the disk",
    )
    shows_contacts: bpy.props.BoolProperty(
        name="Show Contacts",
        description="Draw what touches in the viewport: green sticks, orange slips, blue is open, with a line along "
        "the force. It needs a bake with Contact Attributes",
        options={"SKIP_SAVE"},
    )
    force_line: bpy.props.FloatProperty(
        name="Line per Newton",
        description="Length of the lines that show forces, in Blender's units for each N",
        default=1.0,
        min=0.0,
        soft_max=100.0,
    )
    set_up_notes: bpy.props.StringProperty(
        name="Set-Up Notes", description="What Set Up Shot has guessed, a line each", options={"HIDDEN"}
    )
    guessed_steps: bpy.props.IntProperty(
        name="Guessed Steps",
        description="Steps per Frame as they were guessed last; other ones are the artist's own",
        options={"HIDDEN"},
        min=0,
        soft_max=50,
    )
    wind: bpy.props.FloatVectorProperty(
        name="Wind",
        description="Velocity of the air (breeze 3 m/s, fresh wind 8, storm 25). May be keyed",
        soft_min=-50.0,
        soft_max=50.0,
        subtype="VELOCITY",
        unit="VELOCITY",
    )
    turbulence: bpy.props.FloatProperty(
        name="Turbulence",
        description="Speed of gusts in the wind, root mean square; they also blow where there is no wind",
        default=0.0,
        min=0.0,
        soft_max=10.0,
        unit="VELOCITY",
    )
    turbulence_size: bpy.props.FloatProperty(
        name="Gust Size",
        description="Size of the largest gusts; there are smaller ones in them, down to a sixteenth",
        default=0.5,
        min=1e-3,
        soft_min=0.05,
        soft_max=10.0,
        unit="LENGTH",
    )
    turbulence_seed: bpy.props.IntProperty(
        name="Gust Seed",
        description="Another number makes other gusts of the same kind",
        default=0,
        min=0,
        soft_max=1000,
    )
    use_force_fields: bpy.props.BoolProperty(
        name="Force Fields", description="The scene's force fields act on the simulation, too", default=True
    )
    use_custom_range: bpy.props.BoolProperty(
        name="Custom Range", description="Bake other frames than the scene's frame range"
    )
    first_frame: bpy.props.IntProperty(
        name="First Frame", description="First frame of the bake", default=1, soft_min=0, soft_max=LAST_OF_BLENDER
    )
    last_frame: bpy.props.IntProperty(
        name="Last Frame", description="Last frame of the bake", default=250, soft_min=0, soft_max=LAST_OF_BLENDER
    )
