"""The examples of the page about Python run."""

import re
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "python.md"


def test_the_examples_of_the_python_page_run_one_after_the_other(capsys):
    blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert len(blocks) >= 6
    names: dict = {}
    for block in blocks:
        exec(compile(block, str(PAGE), "exec"), names)  # our own page, as the reader would type it
    assert "its friction must not be negative" in capsys.readouterr().out
    assert len(names["again"].objects) == 1
