"""The page of a wedge: every variant is on it, also one that failed."""

from stiction.solver.pages.wedge_page import Row, wedge_page, wedge_table

MEASURES = {
    "frames": 3,
    "seconds": 1.25,
    "slowest_frame_seconds": 0.5,
    "most_contacts": 12,
    "largest_residual": 1e-7,
    "intersections": None,
    "held_back": 0,
    "fastest_point": 2.0,
}


def test_page_shows_pictures_measures_and_failures(tmp_path):
    picture = tmp_path / "still.png"
    picture.write_bytes(b"not really a picture")
    rows = [Row("friction=<0.1>", MEASURES, "", picture), Row("friction=0.3", None, "It failed & stopped.", None)]
    page = wedge_page("Wedge of shot", rows)
    assert "friction=&lt;0.1&gt;" in page and "<0.1>" not in page
    assert page.count("<figure>") == 1 and "data:image/png;base64," in page
    assert "It failed &amp; stopped." in page and "1.0e-07" in page


def test_table_for_a_terminal_has_a_line_a_variant():
    lines = wedge_table([Row("a", MEASURES, "", None), Row("long name", None, "It failed.", None)]).splitlines()
    assert len(lines) == 3 and lines[0].endswith("fastest point [m/s]")
    assert lines[1].split() == ["a", "3", "1.2", "0.50", "12", "1.0e-07", "–", "0", "2.00"]
    assert lines[2].startswith("long name") and lines[2].endswith("It failed.")
