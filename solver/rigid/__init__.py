"""True rigid bodies: six unknowns each (docs/theory/rigid.md)."""
