"""Imperative shell: the state machine of a turn, the store and the forums, around a pure pipeline."""
