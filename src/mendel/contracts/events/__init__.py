"""The event envelope, and the closed registry of lifecycle events with a payload model for each."""
