"""A wedge as a page: a contact sheet of its variants, and a table of their measures."""

import base64
from html import escape
from pathlib import Path
from typing import NamedTuple

from .bake_report import STYLE

SHEET_STYLE = """
.sheet { display: flex; flex-wrap: wrap; gap: 1rem; } figure { margin: 0; width: 17rem; } img { width: 100%; }
figcaption { font-size: 13px; } body { max-width: 76rem; } td:not(:first-child), th { text-align: right; }
"""
COLUMNS = {  # of the measures, with the heading and the form of each
    "frames": ("frames", "{:d}"),
    "seconds": ("time [s]", "{:.1f}"),
    "slowest_frame_seconds": ("slowest frame [s]", "{:.2f}"),
    "most_contacts": ("most contacts", "{:d}"),
    "largest_residual": ("largest residual [m]", "{:.1e}"),
    "intersections": ("intersections", "{:d}"),
    "held_back": ("held back", "{:d}"),
    "fastest_point": ("fastest point [m/s]", "{:.2f}"),
}


class Row(NamedTuple):
    """One variant."""

    title: str
    measures: dict | None  # None: nothing is baked
    failure: str  # empty if it became whole
    picture: Path | None


def wedge_page(title: str, rows: list[Row]) -> str:
    """The whole page, with its pictures inside."""
    figures = "".join(_figure(row) for row in rows)
    head = "<tr><th></th>" + "".join(f"<th>{heading}</th>" for heading, _ in COLUMNS.values()) + "</tr>"
    table = head + "".join(_table_row(row) for row in rows)
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        f"<style>{STYLE}{SHEET_STYLE}</style></head>\n<body>\n<h1>{escape(title)}</h1>\n"
        f'<div class="sheet">{figures}</div>\n<h2>Measures</h2>\n<table>{table}</table>\n</body></html>\n'
    )


def wedge_table(rows: list[Row]) -> str:
    """The same table as text, for a terminal."""
    cells = [["", *(heading for heading, _ in COLUMNS.values())]]
    cells += [[row.title, *([row.failure] if row.failure else _cells(row))] for row in rows]
    width = max(len(line[0]) for line in cells)
    return "\n".join(f"{line[0]:<{width}}  " + "  ".join(f"{cell:>20}" for cell in line[1:]) for line in cells)


def _cells(row):
    measures = row.measures or {}
    return ["–" if measures.get(name) is None else form.format(measures[name]) for name, (_, form) in COLUMNS.items()]


def _figure(row):
    if row.picture is None or not row.picture.exists():
        return ""
    data = base64.b64encode(row.picture.read_bytes()).decode()
    picture = f'<img alt="" src="data:image/png;base64,{data}">'
    return f"<figure>{picture}<figcaption>{escape(row.title)}</figcaption></figure>"


def _table_row(row):
    cells = "".join(f"<td>{cell}</td>" for cell in _cells(row))
    failure = f'<tr><td class="bad" colspan="{len(COLUMNS) + 1}">{escape(row.failure)}</td></tr>' if row.failure else ""
    return f"<tr><td>{escape(row.title)}</td>{cells}</tr>{failure}"
