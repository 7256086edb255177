"""The real table: decks as data, score sheets, the deck check, and what can be printed."""
