"""Events, seats and sessions in SQL: SQLite for a room at home, PostgreSQL when outgrown."""
