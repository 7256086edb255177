"""The rules told once: immutable values, pure functions, the standard library only."""
