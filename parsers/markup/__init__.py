"""Rendered posts to the lines that a reader sees."""
