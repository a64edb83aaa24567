"""Texts: programs in any language, changed by models and line edits, and run and measured by a command."""
