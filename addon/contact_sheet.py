"""The stills of a wedge side by side in one picture, each with what is varied written below it."""

import math
from collections.abc import Sequence
from pathlib import Path

import blf
import bpy
import imbuf
import numpy as np

from ..solver.pages.wedge_page import Row
from .still import SIZE

LABEL = 44  # pixels below each still: two lines
GAP = 8
LETTERS = 15  # pixels
MOST_LETTERS = 110  # of a label; more do not fit into its two lines
FONT = 0  # Blender's own
PAPER, EMPTY = 0.12, 0.2  # greys of the sheet, and of a still that is missing


def write_contact_sheet(rows: Sequence[Row], path: Path) -> None:
    """Write a PNG of all variants, from left to right and from above, in about as many rows as columns."""
    columns = math.ceil(math.sqrt(len(rows)))
    cell = np.array([SIZE[0] + GAP, SIZE[1] + LABEL + GAP])
    width, height = cell * [columns, math.ceil(len(rows) / columns)] + GAP
    corners = [
        (GAP + cell[0] * (number % columns), height - cell[1] * (number // columns + 1)) for number in range(len(rows))
    ]  # of the labels, lower left
    _write_pixels(_sheet(rows, corners, (height, width)), path)
    _write_labels([_label(row) for row in rows], corners, path)


def _label(row):
    text = f"{row.title}: {row.failure}" if row.failure else row.title
    return text if len(text) <= MOST_LETTERS else text[: MOST_LETTERS - 1] + "…"


def _sheet(rows, corners, shape):
    """Pixels from below (height, width, 4)."""
    sheet = np.full((*shape, 4), PAPER, np.float32)
    sheet[..., 3] = 1.0
    for row, (left, low) in zip(rows, corners, strict=True):
        place = sheet[low + LABEL : low + LABEL + SIZE[1], left : left + SIZE[0]]
        place[..., :3] = EMPTY
        if row.picture is not None and row.picture.exists():
            still = _read_pixels(row.picture)[: SIZE[1], : SIZE[0]]
            place[: still.shape[0], : still.shape[1]] = still
    return sheet


def _read_pixels(path):
    image = bpy.data.images.load(str(path))
    try:
        pixels = np.empty(image.size[0] * image.size[1] * image.channels, np.float32)
        image.pixels.foreach_get(pixels)
        return pixels.reshape(image.size[1], image.size[0], image.channels)
    finally:
        bpy.data.images.remove(image)


def _write_pixels(pixels, path):
    image = bpy.data.images.new("Stiction Wedge", pixels.shape[1], pixels.shape[0])
    try:
        image.pixels.foreach_set(pixels.ravel())
        image.filepath_raw, image.file_format = str(path), "PNG"
        image.save()
    finally:
        bpy.data.images.remove(image)


def _write_labels(texts, corners, path):
    """Onto the picture that is there."""
    buffer = imbuf.load(str(path))
    blf.size(FONT, LETTERS)
    blf.color(FONT, 1.0, 1.0, 1.0, 1.0)
    blf.enable(FONT, blf.WORD_WRAP)
    blf.word_wrap(FONT, SIZE[0])
    with blf.bind_imbuf(FONT, buffer):
        for text, (left, low) in zip(texts, corners, strict=True):
            blf.position(FONT, int(left), int(low) + LABEL - LETTERS - 4, 0)
            blf.draw_buffer(FONT, text)
    blf.disable(FONT, blf.WORD_WRAP)
    imbuf.write(buffer, filepath=str(path))
    buffer.free()
