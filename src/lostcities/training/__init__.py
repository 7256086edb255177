"""Measuring and improving agents: the arena, its log and statistics, ratings."""
