"""The ``lostcities`` command.

Each command is a module of this package with the same name (``NAME``, ``HELP``, ``configure`` and
``run``); :mod:`lostcities.cli.main` imports only the one that was asked for.
"""
