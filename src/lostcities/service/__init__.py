"""The room: tables with one writer each, agents in seats, what each seat is told."""
