"""The panels show what applies to a kind, and everything that they show is read."""

from contextlib import contextmanager
from types import SimpleNamespace

import bpy
import pytest

from tests.blender.reading_scenes import sheet, start_of
from tests.blender.shots import make_hair, select
from tests.blender.test_read_ropes import rope

WHERE_THEY_ARE = {
    "MESH": lambda kind: sheet("Thing", kind),
    "CURVES": lambda _: make_hair(),
    "CURVE": lambda _: rope("POLY"),
}
TOUCHED = {
    *("friction", "friction_map", "use_kinetic_friction", "kinetic_friction", "cohesion", "compliance"),
    "restitution",
    *("thickness", "collision_groups"),
}
SOLID = {"spin_friction", "friction_ratio", "friction_direction"}
COLLIDING = TOUCHED | {"self_collision"}
COMMON = COLLIDING | {"density", "air_drag", "start_velocity"}
FOR_HAIR = {
    *("radius", "flatness", "bending_modulus", "stretching_modulus", "poisson_ratio", "damping"),
    *("pinned_ends", "pin_stiffness", "pin_strength", "is_sag_free"),
}
SHOWN = {
    ("CURVES", "HAIR"): COMMON | FOR_HAIR,
    ("CURVE", "HAIR"): (COMMON | FOR_HAIR | {"rest_shape_key"}) - {"friction_map"},
    ("MESH", "CLOTH"): COLLIDING
    | {
        *("area_density", "warp_stiffness", "weft_stiffness", "shear_stiffness", "poisson_ratio", "cloth_law"),
        *("warp_bending", "weft_bending", "damping", "air_drag", "normal_drag", "start_velocity"),
        *("pin_group", "pin_stiffness", "pin_strength", "is_sag_free", "rest_shape_key", "rest_uv_map", "uv_scale"),
        *("pressure", "is_sealed", "use_seams", "seam_stiffness"),
    },
    ("MESH", "SOFT"): COMMON
    | {"youngs_modulus", "poisson_ratio", "solid_law", "damping"}
    | {"pin_group", "pin_stiffness", "pin_strength", "resolution", "frame_count"},
    ("MESH", "RIGID"): COMMON | SOLID | {"pin_group", "pin_stiffness", "pin_strength"},
    ("MESH", "COLLIDER"): TOUCHED | SOLID,
    ("MESH", "NONE"): set(),
}


class Layout(SimpleNamespace):
    """Stands for a UILayout: keeps the names of what is shown."""

    def prop(self, data, name, text=None, **_):
        assert hasattr(data, name)
        self.shown.append((type(data).__name__, name))
        self.labels[name] = text

    def prop_search(self, data, name, source, collection, **_):
        assert hasattr(source, collection)
        self.prop(data, name)

    def operator(self, name, **_):
        assert name.split(".")[1] in dir(bpy.ops.stiction)
        return SimpleNamespace()

    operator_menu_enum = operator_menu = lambda self, name, *_, **__: self.operator(name)

    def template_list(self, kind, _, data, name, active_data, active_name, **__):
        assert hasattr(bpy.types, kind)
        assert hasattr(data, name)
        assert hasattr(active_data, active_name)

    def label(self, **_):
        pass

    def column(self, **_):
        return Layout(shown=self.shown, labels=self.labels)

    row = column


@pytest.fixture(autouse=True)
def panel_width(module, monkeypatch):
    """Sets how many letters fit into a panel: without a window there is none that is drawn."""

    def set_width(letters):
        monkeypatch.setattr(module("addon.panel_rows"), "letters_across", lambda context: letters)

    set_width(100)
    return set_width


def shown_for(module, obj):
    """The settings on all panels of an object, by the name of their owner."""
    return drawn_for(module, obj).shown


def drawn_for(module, obj):
    select(obj)
    layout = Layout(shown=[], labels={})
    for panel in module("addon.object_panels").CLASSES:
        if issubclass(panel, bpy.types.Panel) and (not hasattr(panel, "poll") or panel.poll(bpy.context)):
            methods = {name: getattr(panel, name) for name in dir(panel) if name.startswith(("draw_settings", "_draw"))}
            stand_in = SimpleNamespace(layout=layout)
            for name, method in methods.items():
                setattr(stand_in, name, method.__get__(stand_in))
            panel.draw(stand_in, bpy.context)
    return layout


@pytest.mark.parametrize(("type_", "kind"), SHOWN)
def test_only_what_applies_to_a_kind_is_shown(module, type_, kind):
    obj = WHERE_THEY_ARE[type_](kind)
    names = [name for owner, name in shown_for(module, obj) if owner == "StictionObjectSettings"]
    assert sorted(names) == sorted(SHOWN[type_, kind])


@pytest.mark.parametrize(("letters", "label"), [(30, "Direction"), (60, "Friction Direction")])
def test_a_name_that_does_not_fit_is_a_shorter_one_and_not_cut_off(module, panel_width, letters, label):
    obj = WHERE_THEY_ARE["MESH"]("RIGID")
    panel_width(letters)
    labels = drawn_for(module, obj).labels
    assert labels["friction_direction"] == label and labels["friction"] == "Friction"


@pytest.mark.parametrize(("kind", "names"), [("CLOTH", ["target", "vertex_group", "stiffness", "keeps_distance"])])
def test_the_chosen_attachment_is_shown(module, kind, names):
    obj = sheet("Thing", kind)
    obj.stiction.attachments.add()
    assert [name for owner, name in shown_for(module, obj) if owner == "StictionAttachment"] == names


def test_ends_of_strands_are_tied_firmly_so_no_stiffness_is_shown(module):
    obj = rope("POLY")
    obj.stiction.attachments.add()
    assert [name for owner, name in shown_for(module, obj) if owner == "StictionAttachment"] == ["target", "ends"]


def test_settings_of_bodies_reach_the_solver(module):
    soft, cloth = sheet("Soft", "SOFT"), sheet("Cloth")
    item = start_of(module).objects["Soft"]
    assert (item.resolution, item.frame_count) == (None, 0)
    soft.stiction.resolution, soft.stiction.frame_count = 7, 3
    cloth.stiction.pressure, cloth.stiction.is_sealed, cloth.stiction.is_sag_free = 120.0, True, True
    hair = make_hair()
    hair.stiction.is_sag_free = True
    objects = start_of(module).objects
    assert (objects["Soft"].resolution, objects["Soft"].frame_count) == (7, 3)
    assert (objects["Cloth"].pressure, objects["Cloth"].is_sealed) == (120.0, True)
    assert [objects[name].is_sag_free for name in ("Cloth", "Groom", "Soft")] == [True, True, False]


@pytest.mark.parametrize("kind", ["CLOTH", "SOFT", "RIGID"])
def test_a_fresh_mark_has_the_solvers_defaults(module, kind):
    obj = sheet("Thing", "NONE")
    select(obj)
    bpy.ops.stiction.add(kind=kind)
    item = start_of(module).objects["Thing"]
    material = module("addon.read_settings").MATERIALS[kind]()
    for name, value in vars(item.material).items():
        wanted = getattr(material, name)
        assert value == (wanted if isinstance(wanted, str) else pytest.approx(wanted)), name


@contextmanager
def refused(module, words):
    with pytest.raises(module("solver.errors").SceneRefused, match=words):
        yield


def test_the_new_settings_can_be_set_by_name(module):
    change = module("addon.change_settings").change_setting
    obj = sheet("Thing")
    for text in ("pin_stiffness=50", "is_sealed=true", "pressure=-3", "rest_uv_map=UV", "resolution=4", "use_seams=1"):
        change(bpy.context.scene, f"Thing.{text}")
    settings = obj.stiction
    assert (settings.pin_stiffness, settings.is_sealed, settings.pressure) == (50.0, True, -3.0)
    assert (settings.rest_uv_map, settings.resolution, settings.use_seams) == ("UV", 4, True)
    for name in ("attachments", "active_attachment", "rna_type", "name"):
        with refused(module, f'There is no setting "{name}"'):
            change(bpy.context.scene, f"Thing.{name}=1")
    with refused(module, "is out of range"):
        change(bpy.context.scene, "Thing.resolution=-1")
