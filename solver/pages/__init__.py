"""Pages that tell of bakes: plain HTML with drawings inside, which any browser shows without a network."""
