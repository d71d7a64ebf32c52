"""Write docs/reference.md: every setting and every operator, in the words of the add-on itself.

Run in an environment with the bpy wheel, from the project's folder: `python -m tools.reference`.
"""

import sys
from pathlib import Path

PAGE = Path(__file__).parent.parent / "docs" / "reference.md"
UNITS = {"LENGTH": "length", "VELOCITY": "velocity"}
INHERITED = ("rna_type", "name")
HEAD = """# Reference

Every setting and every operator, in the words of their tooltips. `python -m tools.reference` writes this page; a test
keeps it current. How they work together is in the [user guide](user_guide.md). Lengths and velocities are in the
scene's units; all other units are named in the text. Ranges are those of the sliders; more may be typed in.
"""


def reference_text(bpy) -> str:
    """The page, of the add-on that is registered in this Blender."""
    parts = [HEAD]
    for title, group in groups_of(bpy).items():
        rows = [_setting_row(rna) for rna in settings_of(group)]
        parts.append(
            f"## {title}\n\n| setting | in Python | unit | default | range | meaning |\n|---|---|---|---|---|---|"
        )
        parts[-1] = "\n".join([parts[-1], *rows]) + "\n"
    parts.append("## Operators: `bpy.ops.stiction`\n\n| operator | in Python | what it does |\n|---|---|---|")
    names = sorted(dir(bpy.ops.stiction))
    parts[-1] = "\n".join([parts[-1], *(_operator_row(bpy, name) for name in names)]) + "\n"
    return "\n".join(parts)


def groups_of(bpy) -> dict:
    """The groups of settings, by their titles."""
    objects, scene = (kind.bl_rna.properties["stiction"].fixed_type for kind in (bpy.types.Object, bpy.types.Scene))
    return {
        "Objects: `object.stiction`": objects,
        "Attachments: `object.stiction.attachments[…]`": objects.properties["attachments"].fixed_type,
        "The scene: `scene.stiction`": scene,
        "Pairs: `scene.stiction.pairs[…]`": scene.properties["pairs"].fixed_type,
    }


def settings_of(group) -> list:
    """Properties of a group that an artist can see."""
    return [rna for rna in group.properties if rna.identifier not in INHERITED and not rna.is_hidden]


def _setting_row(rna):
    cells = rna.name, f"`{rna.identifier}`", UNITS.get(getattr(rna, "unit", ""), ""), _default(rna), _range(rna)
    return "| " + " | ".join([*cells, _words(rna.description) + _items(rna)]) + " |"


def _operator_row(bpy, name):
    rna = getattr(bpy.ops.stiction, name).get_rna_type()
    options = [option for option in rna.properties if option.identifier not in INHERITED and not option.is_hidden]
    words = ", ".join(f"{option.identifier}=…" for option in options)
    told = "".join(f" `{option.identifier}`: {_words(option.description)}." for option in options)
    return f"| {rna.name} | `{name}({words})` | {_words(rna.description)}.{told} |"


def _default(rna):
    if rna.type in ("POINTER", "COLLECTION"):
        return ""
    if getattr(rna, "is_array", False):
        values = list(rna.default_array)
        first, others = _number(values[0]), {_number(value) for value in values[1:]}
        return ", then ".join([first, *(others - {first})])
    if rna.type == "ENUM":
        return rna.enum_items[rna.default].name
    return rna.default if rna.type == "STRING" else _number(rna.default)


def _number(value):
    if isinstance(value, bool):
        return "on" if value else "off"
    return str(value) if isinstance(value, int) else f"{value:.6g}"


def _range(rna):
    return f"{_number(rna.soft_min)} to {_number(rna.soft_max)}" if rna.type in ("FLOAT", "INT") else ""


def _items(rna):
    if rna.type != "ENUM":
        return ""
    return ". " + " ".join(f"*{item.name}*: {_words(item.description)}." for item in rna.enum_items)


def _words(text):
    return " ".join(text.split()).replace("|", "\\|")


def main() -> int:
    import bpy

    import stiction

    stiction.register()
    try:
        PAGE.write_text(reference_text(bpy), encoding="utf-8")
    finally:
        stiction.unregister()
    return 0


if __name__ == "__main__":
    sys.exit(main())
