"""Notices: how people are told that it is their turn while they look elsewhere.

A notice is sent only after the turn before it was committed and told at the table, and no turn ever
waits for one. It names the other person at the table and holds no card.
"""
