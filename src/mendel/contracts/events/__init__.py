"""The event envelope, and the closed registry of events with a payload model for each."""
