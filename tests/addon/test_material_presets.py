"""The presets that ship are right, and a file that is not gets a sentence."""

import re

import numpy as np
import pytest

from stiction.addon.material_presets import PRESETS_FILE, material_presets
from stiction.solver import Cloth, Hair, Scene, SoftBody
from stiction.solver.errors import StictionError
from stiction.solver.materials import ClothMaterial, HairMaterial, SolidMaterial
from stiction.solver.validation import check_scene

TETRAHEDRON = np.eye(4, 3), [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]
GOOD = PRESETS_FILE.read_text(encoding="utf-8")
SILK = GOOD[GOOD.index("[cloth.silk]") : GOOD.index("[cloth.cotton]")]


def refusal(tmp_path, text):
    path = tmp_path / "materials.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(StictionError) as caught:
        material_presets(path)
    assert str(caught.value).startswith('The presets "materials.toml" cannot be used: ')
    return str(caught.value)


def changed(key, value):
    text, count = re.subn(rf"(?m)^{key} = .*$", f"{key} = {value}", SILK)
    assert count == 1
    return text


def test_every_asked_material_is_there():
    names = {
        kind: {p.name for p in material_presets().values() if p.kind == kind} for kind in ("HAIR", "CLOTH", "SOFT")
    }
    assert names["HAIR"] >= {"straight_hair", "wavy_hair", "curly_hair", "fur"}
    assert names["CLOTH"] >= {"silk", "cotton", "denim", "wool", "leather"}
    assert names["SOFT"] >= {"rubber", "flesh"}


@pytest.mark.parametrize("preset", material_presets().values(), ids=lambda preset: preset.name)
def test_every_preset_can_be_simulated(preset):
    scene = Scene()
    if preset.kind == "HAIR":
        scene.add(Hair("strand", np.eye(3), [0, 3], material=preset.material))
    else:
        kind = Cloth if preset.kind == "CLOTH" else SoftBody
        scene.add(kind("surface", *TETRAHEDRON, material=preset.material))
    assert check_scene(scene) == []
    assert preset.label.istitle() and len(preset.source) > 20


@pytest.mark.parametrize(
    ("name", "material"),
    [("straight_hair", HairMaterial()), ("cotton", ClothMaterial()), ("soft_rubber", SolidMaterial())],
)
def test_defaults_are_a_preset(name, material):
    assert material_presets()[name].material == material


def test_hair_sections_have_the_measured_areas_and_ellipticities():
    for name, area, ellipticity in (("wavy_hair", 4079e-12, 1.41), ("curly_hair", 4210e-12, 1.66)):
        material = material_presets()[name].material
        assert np.pi * material.radius**2 * material.flatness == pytest.approx(area, rel=0.005)
        assert 1.0 / material.flatness == pytest.approx(ellipticity, rel=0.005)


def test_rubber_sheet_is_half_a_millimetre_of_rubber():
    sheet, rubber = material_presets()["rubber_sheet"].material, material_presets()["rubber"].material
    thickness, modulus, poisson = 5e-4, rubber.youngs_modulus, sheet.poisson_ratio
    assert sheet.area_density == pytest.approx(rubber.density * thickness)
    assert sheet.warp_stiffness == pytest.approx(modulus * thickness)
    assert sheet.shear_stiffness == pytest.approx(modulus * thickness / (2 * (1 + poisson)), rel=0.01)
    assert sheet.warp_bending == pytest.approx(modulus * thickness**3 / (12 * (1 - poisson**2)), rel=0.02)


def test_unknown_kind(tmp_path):
    assert 'there is no kind "water"; there are hair, cloth, soft' in refusal(tmp_path, '[water.salt]\nlabel = "Salt"')


def test_kind_that_is_no_table(tmp_path):
    assert '"cloth" must hold nothing but tables' in refusal(tmp_path, "[cloth]\nsilk = 3")


def test_unknown_setting(tmp_path):
    assert '"silk" has the unknown setting "colour"' in refusal(tmp_path, SILK + 'colour = "red"')


def test_missing_setting(tmp_path):
    text = re.sub(r"(?m)^area_density = .*$", "", SILK)
    assert '"silk" lacks the setting "area_density"' in refusal(tmp_path, text)


@pytest.mark.parametrize("value", ["nan", "inf", "-0.1", '"heavy"', "true", "[1.0]"])
def test_bad_number(tmp_path, value):
    assert '"area_density" of "silk" must be a finite number' in refusal(tmp_path, changed("area_density", value))


def test_unknown_law(tmp_path):
    sentence = refusal(tmp_path, changed("cloth_law", '"glue"'))
    assert '"cloth_law" of "silk" must be one of membrane, springs (it is \'glue\')' in sentence


def test_empty_source(tmp_path):
    assert '"source" of "silk" must be a text' in refusal(tmp_path, changed("source", '" "'))


def test_the_same_name_in_two_kinds(tmp_path):
    assert 'there are two presets "silk"' in refusal(tmp_path, SILK + "[soft.silk]\n")


def test_text_that_is_no_toml(tmp_path):
    assert "it cannot be read" in refusal(tmp_path, "[cloth")


def test_file_that_is_not_there(tmp_path):
    with pytest.raises(StictionError, match="it cannot be read"):
        material_presets(tmp_path / "none.toml")
