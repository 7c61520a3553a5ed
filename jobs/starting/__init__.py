"""A new game's folder: its settings with a comment on each, and the rule set's example to start from."""
