"""Programs that take a seat: each gets a view, never a state, and answers a turn.

:mod:`lostcities.agents.agent` says what an agent is, :mod:`lostcities.agents.registry` finds one by
name. Nothing is imported here, so that naming an agent costs nothing.
"""
