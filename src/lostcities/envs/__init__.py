"""Doors for other people's learning code: one round of the game in the forms that they expect.

========================================  ================================================================
:mod:`lostcities.envs.lost_cities_v0`     PettingZoo: two agents that act by turns (AEC)
:mod:`lostcities.envs.gymnasium`          Gymnasium: one seat against any agent
:mod:`lostcities.envs.vector`             Gymnasium ``VectorEnv``: many such rounds in compiled code
:mod:`lostcities.envs.self_play`          both seats of many rounds over NumPy arrays
:mod:`lostcities.envs.openspiel`          OpenSpiel: the game ``python_lost_cities``
========================================  ================================================================

All of them play by the kernel, show what :mod:`lostcities.kernel.observe` describes and take the actions
of :mod:`lostcities.encoding`, half a turn each. ``pip install 'lostcities[envs]'`` brings PettingZoo and
Gymnasium, ``'lostcities[openspiel]'`` OpenSpiel; ``self_play`` needs neither. Nothing is imported here.
"""
