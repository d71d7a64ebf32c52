"""Rest shapes for which the pose that the artist made is in balance under gravity."""
