"""A match in the terminal: what the person types, the match itself, and two ways to show it."""
