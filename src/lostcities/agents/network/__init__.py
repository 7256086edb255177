"""A small network that knows no colour by name: features, forward pass, weights."""
