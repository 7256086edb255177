"""Alembic migrations, applied when a room opens its database."""
