"""Pure folds from events to read models."""
