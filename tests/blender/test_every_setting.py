"""Every setting and every operator says what it is, in which unit and range; the reference says the same."""

import re

import bpy
import pytest

from tools.reference import INHERITED, PAGE, groups_of, reference_text

UNIT_WORDS = r" in (kg/m³|kg/m²|Pa|N/m|N m|N|m|seconds|Blender's units)\b|per second"
PLAIN = {
    *("friction", "kinetic_friction", "friction_ratio", "friction_direction", "restitution"),
    *("flatness", "poisson_ratio", "normal_drag", "pin_strength"),
}
CHANGES_NOTHING = {"check", "export", "report", "stop_bake", "wedge"}  # of the file
PUSHES_ITS_OWN = {"bake", "free_bake"}  # undo steps, when it ends


def groups():
    yield from groups_of(bpy).values()
    yield from (getattr(bpy.ops.stiction, name).get_rna_type() for name in dir(bpy.ops.stiction))


def settings():
    return [rna for group in groups() for rna in group.properties if rna.identifier not in INHERITED]


def test_every_setting_and_choice_has_a_tooltip():
    without = [rna.identifier for rna in settings() if not rna.description]
    choices = [rna for rna in settings() if rna.type == "ENUM" and rna.identifier != "preset"]  # made for the object
    without += [f"{rna.identifier} {item.name}" for rna in choices for item in rna.enum_items if not item.description]
    assert without == []


def test_every_operator_has_a_tooltip():
    operators = [getattr(bpy.ops.stiction, name).get_rna_type() for name in dir(bpy.ops.stiction)]
    assert [rna.identifier for rna in operators if not (rna.name and rna.description)] == []


def test_every_physical_number_has_a_unit():
    numbers = [rna for rna in settings() if rna.type == "FLOAT" and rna.identifier not in PLAIN]
    without = [rna.identifier for rna in numbers if rna.unit == "NONE" and not re.search(UNIT_WORDS, rna.description)]
    assert without == []


def test_every_number_has_a_range_that_a_slider_can_show():
    numbers = [rna for rna in settings() if rna.type in ("FLOAT", "INT")]
    assert [rna.identifier for rna in numbers if rna.soft_max > 1.1e11 or rna.soft_min < -1e9] == []


def test_every_greyed_out_button_says_why():
    """In an empty file most operators cannot run; Blender's own words for that are "context is incorrect"."""
    refused = [name for name in dir(bpy.ops.stiction) if not getattr(bpy.ops.stiction, name).poll()]
    assert {"add", "remove", "free_bake", "export", "bind", "wedge"} <= set(refused)
    for name in refused:
        with pytest.raises(RuntimeError) as caught:
            getattr(bpy.ops.stiction, name)()
        assert "context is incorrect" not in str(caught.value), name


def test_what_changes_the_file_can_be_undone():
    classes = [cls for cls in bpy.types.Operator.__subclasses__() if cls.__name__.startswith("STICTION_OT_")]
    assert len(classes) == len(dir(bpy.ops.stiction))
    names = {cls.bl_idname.removeprefix("stiction."): cls for cls in classes}
    changing = set(names) - CHANGES_NOTHING - PUSHES_ITS_OWN
    assert [name for name in changing if "UNDO" not in getattr(names[name], "bl_options", set())] == []


def test_the_reference_is_current():
    assert PAGE.read_text(encoding="utf-8") == reference_text(bpy), "run python -m tools.reference"


def test_the_page_about_the_command_line_names_every_command_and_option(module):
    page = (PAGE.parent / "command_line.md").read_text(encoding="utf-8")
    parser = module("addon.command_line").make_parser()
    (commands,) = (action.choices for action in parser._actions if action.choices)
    options = {name for command in commands.values() for action in command._actions for name in action.option_strings}
    missing = [f"`{name} " for name in commands if f"| `{name} " not in page]
    missing += [name for name in options - {"-h", "--help"} if name not in page]
    assert missing == []
