"""Can another program play by the rules? Cases as data, and a runner for any program."""
