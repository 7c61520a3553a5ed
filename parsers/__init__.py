"""Text to values: forum pages, markup, order blocks, files. Pure."""
