"""Lost Cities: the rules, positions, records and views of the two-player card game."""
