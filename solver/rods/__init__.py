"""Strands: discrete elastic rods with twist [Bergou 2008, 2010], all strands of a scene at once."""
