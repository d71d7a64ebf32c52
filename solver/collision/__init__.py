"""Where surfaces come near each other: geometry, no forces."""
