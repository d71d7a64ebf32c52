"""The page about a bake: what the journal knows stands in it, whole and without a network."""

import re
from html.parser import HTMLParser

import numpy as np
import pytest

from stiction.solver import CacheError, FrameReport
from stiction.solver.frame_store import FrameStore
from stiction.solver.free_bake import free_bake
from stiction.solver.pages.bake_report import bake_measures, write_report
from stiction.solver.pages.svg_plot import Line, plot
from stiction.solver.state import new_state


@pytest.fixture
def store(tmp_path):
    """Three frames of an object whose name has to be escaped; the second one crosses."""
    store = FrameStore.create(tmp_path / "bake", {"<Shirt> & Co": 2}, 5, 9, {"contact_method": "admm"})
    store.start_writing()
    for number in (5, 6, 7):
        report = FrameReport(number, steps=4, contacts=10 * number, sticking=3, slipping=2, contact_residual=1e-9)
        report.timings = {"step": 0.5 * number, "step.dynamics": 0.4 * number}
        report.intersections = 2 if number == 6 else 0
        report.intersecting = ['"<Shirt> & Co" and "Body" cross'] if number == 6 else []
        positions = np.zeros((2, 3))
        store.append(number, {"<Shirt> & Co": positions}, report, new_state(positions, positions))
    store.close()
    return store


class Balance(HTMLParser):
    """Every element that is opened is closed again, in order."""

    def __init__(self):
        super().__init__()
        self.open = []

    def handle_starttag(self, tag, attributes):
        if tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def test_page_is_whole_and_asks_nothing_of_the_network(store):
    path = write_report(store.folder)
    text = path.read_text()
    balance = Balance()
    balance.feed(text)
    assert balance.open == []
    assert not re.search(r"https?://|<script|<link|@import|url\(", text)


def test_page_tells_what_crosses_and_where(store):
    text = write_report(store.folder).read_text()
    assert "&lt;Shirt&gt; &amp; Co&quot; and &quot;Body&quot; cross" in text
    assert '<b class="bad">2</b>' in text and "<Shirt>" not in text
    assert "5 to 7 of 9" in text


def test_measures_are_those_of_the_journal(store):
    measures = bake_measures(store)
    assert measures["seconds"] == pytest.approx(0.5 * (5 + 6 + 7))  # inner stages are not counted twice
    assert (measures["frames"], measures["most_contacts"], measures["intersections"]) == (3, 70, 2)
    assert measures["slowest_frame_seconds"] == pytest.approx(3.5)


def test_free_takes_the_report_along(store):
    write_report(store.folder)
    free_bake(store.folder)
    assert not store.folder.exists()


def test_nothing_baked_and_nowhere_to_write_are_told_in_words(store, tmp_path):
    empty = FrameStore.create(tmp_path / "empty", {"Shirt": 2}, 1, 2, {})
    with pytest.raises(CacheError, match="nothing to report"):
        write_report(empty.folder)
    with pytest.raises(CacheError, match="There is no bake"):
        write_report(tmp_path / "nowhere")
    with pytest.raises(CacheError, match="Cannot write the report"):
        write_report(store.folder, tmp_path / "nowhere" / "page.html")


def places(drawing):
    return [(float(x), float(y)) for x, y in re.findall(r'<circle cx="([\d.]+)" cy="([\d.]+)"', drawing)]


def test_points_stand_at_their_values():
    (x0, y0), (x1, y1), (x2, y2) = places(plot([1, 2, 3], [Line("a", "red", [0.0, 5.0, 10.0])]))
    assert x1 - x0 == pytest.approx(x2 - x1, abs=0.11) and y0 - y1 == pytest.approx(y1 - y2, abs=0.11)
    assert y2 == pytest.approx(10.0)  # the greatest value is round, and so at the top


def test_powers_of_ten_are_equally_far_apart_and_zeros_left_out():
    drawing = plot([1, 2, 3, 4], [Line("a", "red", [1e-4, 0.0, 1e-3, 1e-2])], is_logarithmic=True)
    (_, y0), (_, y1), (_, y2) = places(drawing)
    assert y0 - y1 == pytest.approx(y1 - y2, abs=0.11)
    assert drawing.count("M") == 2  # the line is broken at the zero


@pytest.mark.parametrize("values", [[0.0], [None, None], [1e-300, 1e300], [3.0, 3.0]])
def test_odd_values_can_be_drawn(values):
    for is_logarithmic in (False, True):
        drawing = plot(list(range(len(values))), [Line("a", "red", values)], "s", is_logarithmic)
        assert "nan" not in drawing and "inf" not in drawing.lower().replace("info", "")
