"""Run by Alembic: migrates over the connection that the store hands in."""

from alembic import context

from lostcities.store.schema import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
with context.begin_transaction():
    context.run_migrations()
