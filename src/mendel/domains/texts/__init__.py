"""Programs in any language: texts that models and line edits change, and that a command runs and measures."""
