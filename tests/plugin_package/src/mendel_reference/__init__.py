"""The reference domain: points that come closer to a target. Small, numeric, and complete."""
