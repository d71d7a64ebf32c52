"""A table of measurements beside their bounds."""

from typing import NamedTuple


class Row(NamedTuple):
    what: str
    ours: str
    reference: str
    ratio: float
    bound: float | None = None  # the ratio must not exceed it

    @property
    def verdict(self) -> str:
        if self.bound is None:
            return ""
        return f"{'met' if self.ratio <= self.bound else 'MISSED'} (at most {self.bound:g})"


def print_table(title: str, rows: list[Row]) -> None:
    print(f"\n## {title}\n")
    print("| what | ours | reference | ratio | bound |\n|---|---|---|---|---|")
    for row in rows:
        print(f"| {row.what} | {row.ours} | {row.reference} | {row.ratio:.2f} | {row.verdict} |", flush=True)
