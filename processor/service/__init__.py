"""The life of a turn as a state machine over the store (design.md 1)."""
