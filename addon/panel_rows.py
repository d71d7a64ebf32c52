"""Rows of a panel: settings with their names, and sentences."""

import textwrap

import bpy

from .read_keys import followed_settings

PIXELS_PER_LETTER = 6.6  # of Blender's font, on average
MARGIN = 60  # pixels beside a line of text, with its icon
FEWEST_LETTERS = 20  # in a line, however narrow the panel is
LABELS = 0.4  # part of a row that Blender gives to the name of a setting
SHORTER = {  # names for panels that are too narrow for the setting's own
    "bending_modulus": "Bending",
    "contact_iterations": "Iterations",
    "contact_tolerance": "Tolerance",
    "friction_direction": "Direction",
    "kinetic_friction": "Kinetic",
    "shear_stiffness": "Shear",
    "stretching_modulus": "Stretching",
    "youngs_modulus": "Modulus",
}


def settings_column(layout):
    """Where settings stand, each with its name to the left."""
    column = layout.column()
    column.use_property_split = True
    column.use_property_decorate = False
    return column


def wrapped(column, text: str, context, **options):
    """A sentence over as many lines as the panel needs for it; Blender would cut out its middle."""
    lines = textwrap.wrap(text, max(FEWEST_LETTERS, letters_across(context)))
    for number, line in enumerate(lines):
        column.label(text=line, **(options if number == 0 else {}))


def letters_across(context) -> int:
    """How many letters fit beside each other in the panel that is drawn."""
    return int((context.region.width - MARGIN) / (PIXELS_PER_LETTER * context.preferences.system.ui_scale))


def plain(column, settings, name):
    """A setting with its name, or a shorter one where Blender would cut that off."""
    label = settings.bl_rna.properties[name].name
    if name in SHORTER and len(label) > LABELS * letters_across(bpy.context):
        label = SHORTER[name]
    column.prop(settings, name, text=label)


def keyable(column, settings, name):
    """A setting whose keyframes have an effect: with the dot that sets one."""
    row = column.row()
    row.use_property_decorate = True
    plain(row, settings, name)


def draw_setting(column, settings, name):
    """A setting of an object, keyable where its keyframes have an effect."""
    draw = keyable if name in followed_settings(settings.kind) else plain
    draw(column, settings, name)
