"""Ways through a time step."""
