"""Progress in a terminal and in a log."""

import io

from stiction.addon.progress import Progress
from stiction.addon.progress_line import ProgressLine


class Terminal(io.StringIO):
    def isatty(self):
        return True


def shown(stream, *steps):
    line = ProgressLine(stream)
    for step in steps:
        line.show(step)
    line.end()
    return stream.getvalue()


def test_text_tells_frame_and_time_left():
    assert Progress("Frame", 3, 48, 125.4).text == "Frame 3/48, 2:05 left"
    assert Progress("Reading animation", 1, 2).text == "Reading animation 1/2"


def test_terminal_gets_a_bar_that_is_redrawn():
    text = shown(Terminal(), Progress("Frame", 1, 2), Progress("Frame", 2, 2))
    assert text.count("\r") == 2
    assert text.endswith("\n")
    assert "█" * 30 in text


def test_log_gets_first_and_last_lines_only_when_quick():
    steps = [Progress("Frame", number, 100) for number in range(1, 101)]
    assert shown(io.StringIO(), *steps) == "stiction: Frame 1/100\nstiction: Frame 100/100\n"
