"""The house of cards with a friction of 0.2, at which it falls [Daviet 2020, section 7.1 and figure 8].

`python -m benchmarks.scenes.slippery_cards VERTICES FRAMES`
"""

from .cards import COLOURS, cards
from .running import Shot, TableRow, View, main

SHOT = Shot(
    lambda row_count: cards(row_count, friction=0.2),
    size="vertices across a card",
    paper=TableRow("Cards, μ = 0.2", solver="2.4 ms a step", cores="4"),
    view=View((0.25, -0.5, 0.28), (0.0, 0.0, 0.03), COLOURS),
)

if __name__ == "__main__":
    main(SHOT)
