"""A table of measurements beside their bounds."""

import math
from typing import NamedTuple


class Row(NamedTuple):
    what: str
    ours: str
    reference: str
    ratio: float
    bound: float | None = None  # the ratio must not exceed it

    @property
    def verdict(self) -> str:
        if self.bound is None or math.isnan(self.ratio):
            return ""
        return f"{'met' if self.ratio <= self.bound else 'MISSED'} (at most {self.bound:g})"


def print_table(title: str, rows: list[Row]) -> None:
    print(f"\n## {title}\n")
    print("| what | ours | reference | ratio | bound |\n|---|---|---|---|---|")
    for row in rows:
        ratio = "" if math.isnan(row.ratio) else f"{row.ratio:.2f}"  # a peer that is not installed
        print(f"| {row.what} | {row.ours} | {row.reference} | {ratio} | {row.verdict} |", flush=True)
