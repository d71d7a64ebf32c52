"""The report of a bake as a page: what each frame took, its contacts, how well they were solved, what crosses."""

import os
from html import escape
from pathlib import Path

from ..errors import CacheError
from ..frame_store import REPORT_NAME, FrameStore
from ..stage_timer import timings_tree
from ..vertex_measures import MEASURES
from .svg_plot import Line, plot

BLUE, GREEN, ORANGE, RED, GREY = "#2563ab", "#2f8f4e", "#d97706", "#c02626", "#6b7280"
STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #1f2328; background: #fff; }
h1 { margin-bottom: 0; } h2 { margin: 2rem 0 .2rem; font-size: 1.1rem; }
table { border-collapse: collapse; } td, th { text-align: left; padding: .1rem 1.2rem .1rem 0; vertical-align: top; }
svg { width: 100%; font-size: 12px; } svg text { fill: #57606a; } .grid { stroke: #d8dee4; }
.key b { margin-right: .3rem; } .key span { margin-right: 1.2rem; } .good { color: #2f8f4e; } .bad { color: #c02626; }
pre { background: #f6f8fa; padding: .8rem; overflow-x: auto; }
"""  # noqa: E501


def write_report(folder: str | Path, path: str | Path | None = None) -> Path:
    """Write the report of the bake in a folder, into it where no other place is asked for; returns where."""
    store = FrameStore.open(folder)
    if not store.frames_done:
        raise CacheError(f'No frame is finished in "{folder}", so there is nothing to report.')
    path = Path(path) if path else store.folder / REPORT_NAME
    unfinished = path.with_name(path.name + ".part")
    try:
        unfinished.write_text(report_page(store), encoding="utf-8")
        os.replace(unfinished, path)
    except OSError as error:
        raise CacheError(f'Cannot write the report "{path}" ({error.strerror}). Choose another place.') from error
    return path


def report_page(store: FrameStore) -> str:
    """The whole page; it needs no other file."""
    reports = [line.report for line in store.lines]
    title = f"Bake {store.folder.name}"
    body = [f"<h1>{escape(title)}</h1>", _summary(store, reports), *_plots(reports), _crossings(reports)]
    body.append(f"<h2>Where the time went</h2><pre>{escape(timings_tree(_total_timings(reports)))}</pre>")
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        f"<style>{STYLE}</style></head>\n<body>\n" + "\n".join(body) + "\n</body></html>\n"
    )


def frame_seconds(report: dict) -> float:
    """What a frame took to simulate [s]: its outermost stages."""
    return sum(seconds for stage, seconds in report["timings"].items() if "." not in stage)


def bake_measures(store: FrameStore) -> dict[str, float | int | None]:
    """A bake in a few numbers, for tables; those of intersections are None where they were not counted."""
    reports = [line.report for line in store.lines]
    seconds = [frame_seconds(report) for report in reports]
    counted = [report["intersections"] for report in reports if report["intersections"] is not None]
    return {
        "frames": len(reports),
        "seconds": sum(seconds),
        "slowest_frame_seconds": max(seconds, default=0.0),
        "most_contacts": max((report["contacts"] for report in reports), default=0),
        "largest_residual": max((report["contact_residual"] for report in reports), default=0.0),
        "intersections": sum(counted) if counted else None,
        "held_back": sum(report["held_back"] for report in reports),
        "fastest_point": max((report["largest_speed"] for report in reports), default=0.0),
    }


def _summary(store, reports):
    manifest, measures = store.manifest, bake_measures(store)
    crossing = measures["intersections"]
    verdict = "not counted" if crossing is None else _coloured(f"{crossing}", crossing == 0)
    objects = ", ".join(f"{name} ({entry.point_count} points)" for name, entry in manifest.objects.items()
                        if MEASURES not in name)  # fmt: skip
    rows = {
        "Frames": f"{manifest.first_frame} to {store.last_frame_done} of {manifest.last_frame}",
        "Objects": escape(objects),
        "Contact method": escape(str(manifest.inputs.get("contact_method", "")).upper()),
        "Steps a frame": escape(str(manifest.inputs.get("steps_per_frame", ""))),
        "Time": f"{_duration(measures['seconds'])}; slowest frame {measures['slowest_frame_seconds']:.2f} s",
        "Most contacts": str(measures["most_contacts"]),
        "Intersections": verdict,
        "Nodes held back": str(measures["held_back"]),
        "Folder": escape(str(store.folder)),
        "Stiction": escape(manifest.version),
    }
    return "<table>" + "".join(f"<tr><th>{name}</th><td>{text}</td></tr>" for name, text in rows.items()) + "</table>"


def _plots(reports):
    """The plots of all frames, each under its title and its key."""
    frames = [report["frame_number"] for report in reports]

    def column(name):
        return [report[name] for report in reports]

    def drawn(title, unit, *lines, is_logarithmic=False):
        key = "".join(f'<span><b style="color:{line.colour}">●</b>{line.name}</span>' for line in lines)
        drawing = plot(frames, lines, unit, is_logarithmic)
        return f'<h2>{title}</h2><div class="key">{key}</div>{drawing}'

    seconds = [frame_seconds(report) for report in reports]
    open_contacts = [report["contacts"] - report["sticking"] - report["slipping"] for report in reports]
    yield drawn("Time a frame", "s", Line("time", BLUE, seconds))
    yield drawn("Contacts at the end of the frame", "", Line("sticking", GREEN, column("sticking")),
                Line("slipping", ORANGE, column("slipping")), Line("open", GREY, open_contacts))  # fmt: skip
    residual = Line("last change of the contact solution", BLUE, column("contact_residual"))
    yield drawn("Residual of the contacts", "m", residual, is_logarithmic=True)
    iterations = Line("iterations of the contact method", BLUE, column("contact_iterations"))
    yield drawn("Work", "", iterations, Line("passes until nothing crossed", ORANGE, column("refinement_passes")))
    yield drawn("Intersections", "", Line("edges through faces", RED, column("intersections")),
                Line("nodes held back", ORANGE, column("held_back")),
                Line("pairs forced by the animation", GREY, column("forced")))  # fmt: skip
    yield drawn("Speed of the fastest point", "m/s", Line("speed", BLUE, column("largest_speed")))


def _crossings(reports):
    """Which objects cross, and where: a line for each frame with some."""
    found = [(report["frame_number"], sentence) for report in reports for sentence in report["intersecting"]]
    if not found:
        return ""
    rows = "".join(f"<tr><th>{frame}</th><td>{escape(sentence)}</td></tr>" for frame, sentence in found)
    return f"<h2>What crosses</h2><table>{rows}</table>"


def _total_timings(reports):
    totals: dict[str, float] = {}
    for report in reports:
        for stage, seconds in report["timings"].items():
            totals[stage] = totals.get(stage, 0.0) + seconds
    return totals


def _coloured(text, is_good):
    return f'<b class="{"good" if is_good else "bad"}">{text}</b>'


def _duration(seconds):
    minutes, rest = divmod(seconds, 60)
    return f"{minutes:.0f} min {rest:.0f} s" if minutes else f"{rest:.1f} s"
